#define _GNU_SOURCE 1

#include "nodes.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

enum { maximum_nodes = 1 << 17, bucket_count = 1 << 16 };

struct node {
  int handle;
  uint64_t device;
  uint64_t inode;
  uint64_t lookups;
  char name[256];
  uint32_t next;
};

static struct node nodes[maximum_nodes];
static uint32_t buckets[bucket_count];
static uint32_t free_list;
static uint32_t node_count = ROOT_NODE + 1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static uint32_t *bucket(uint64_t device, uint64_t inode) {
  return &buckets[(inode * 0x9e3779b97f4a7c15u + device) >> 48 & (bucket_count - 1)];
}

static uint32_t find(uint64_t device, uint64_t inode) {
  uint32_t node = *bucket(device, inode);
  while (node != 0 && (nodes[node].device != device || nodes[node].inode != inode)) {
    node = nodes[node].next;
  }
  return node;
}

int open_root(const char *path) {
  nodes[ROOT_NODE].handle = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
  nodes[ROOT_NODE].lookups = 1;
  return nodes[ROOT_NODE].handle;
}

int node_handle(uint64_t node) {
  return node == 0 || node >= maximum_nodes ? -1 : nodes[node].handle;
}

void node_name(uint64_t node, char name[256]) {
  pthread_mutex_lock(&lock);
  snprintf(name, 256, "%s", node < maximum_nodes ? nodes[node].name : "");
  pthread_mutex_unlock(&lock);
}

uint64_t remember(int handle, uint64_t device, uint64_t inode, const char *name) {
  pthread_mutex_lock(&lock);
  uint32_t node = find(device, inode);
  if (node != 0) {
    close(handle);
  } else {
    node = free_list;
    if (node != 0) {
      free_list = nodes[node].next;
    } else if (node_count < maximum_nodes) {
      node = node_count++;
    }
    if (node == 0) {
      close(handle);
    } else {
      uint32_t *head = bucket(device, inode);
      nodes[node] = (struct node){.handle = handle, .device = device, .inode = inode};
      nodes[node].next = *head;
      *head = node;
    }
  }
  if (node != 0) {
    nodes[node].lookups += 1;
    snprintf(nodes[node].name, sizeof nodes[node].name, "%s", name);
  }
  pthread_mutex_unlock(&lock);
  return node;
}

void rename_node(uint64_t device, uint64_t inode, const char *name) {
  pthread_mutex_lock(&lock);
  uint32_t node = find(device, inode);
  if (node != 0) snprintf(nodes[node].name, sizeof nodes[node].name, "%s", name);
  pthread_mutex_unlock(&lock);
}

void forget(uint64_t number, uint64_t lookups) {
  if (number <= ROOT_NODE || number >= maximum_nodes) return;
  pthread_mutex_lock(&lock);
  struct node *node = &nodes[number];
  node->lookups -= lookups < node->lookups ? lookups : node->lookups;
  if (node->lookups == 0 && node->handle >= 0) {
    uint32_t *link = bucket(node->device, node->inode);
    while (*link != number) link = &nodes[*link].next;
    *link = node->next;
    close(node->handle);
    node->handle = -1;
    node->next = free_list;
    free_list = (uint32_t)number;
  }
  pthread_mutex_unlock(&lock);
}
