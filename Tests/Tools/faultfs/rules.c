// Rules stand in a file, one a line, the first that fits counts:
//
//   OPERATION NAME WHICH ACTION [VALUE] [FROM TO]
//
// NAME is a pattern for the last component. WHICH counts the operations that fit: 3 is the third,
// 3+ the third and all after it. ACTION is `errno N`, `short N` for at most N bytes, `delay N` for
// N milliseconds, `flip 1` for a turned bit, or `hang 1`, which lasts until the rules change. FROM
// and TO restrict a rule to transfers of these bytes. A file that was replaced is read anew, and
// counts begin at 1. Each use is a line in a file of the same name with `.log` behind it.
//
// `reopen` is the opening of a file for writing without `O_TRUNC`, and `rewrite` a write to a file
// that was opened so. Some file systems allow neither.
//
// `record 1` lets nothing go wrong. It appends each `write` and `fsync` to a file of the same name
// with `.record` behind it: a line `OPERATION NAME OFFSET COUNT`, and the COUNT bytes of a write.

#define _GNU_SOURCE 1

#include "rules.h"

#include <fcntl.h>
#include <fnmatch.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { maximum_rules = 64 };

struct rule {
  char operation[16];
  char name[256];
  unsigned long which;
  int is_lasting;
  char action[16];
  unsigned long value;
  unsigned long long from;
  unsigned long long to;
  unsigned long seen;
};

static struct rule rules[maximum_rules];
static size_t rule_count;
static char rules_path[4096];
static struct stat known;
static unsigned long generation;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void set_rules(const char *path) {
  snprintf(rules_path, sizeof rules_path, "%s", path);
}

static void load(void) {
  struct stat now;
  if (stat(rules_path, &now) < 0) memset(&now, 0, sizeof now);
  if (now.st_ino == known.st_ino && now.st_ctim.tv_sec == known.st_ctim.tv_sec &&
      now.st_ctim.tv_nsec == known.st_ctim.tv_nsec) {
    return;
  }
  known = now;
  generation += 1;
  rule_count = 0;
  FILE *file = fopen(rules_path, "re");
  if (file == NULL) return;
  char line[512];
  while (rule_count < maximum_rules && fgets(line, sizeof line, file) != NULL) {
    struct rule rule = {.value = 0};
    rule.to = UINT64_MAX;
    char which[32];
    int fields = sscanf(line, "%15s %255s %31s %15s %lu %llu %llu", rule.operation, rule.name,
        which, rule.action, &rule.value, &rule.from, &rule.to);
    if (fields < 5) continue;
    char *rest;
    rule.which = strtoul(which, &rest, 10);
    rule.is_lasting = *rest == '+';
    rules[rule_count++] = rule;
  }
  fclose(file);
}

static void note(const struct rule *rule, const char *operation, const char *name) {
  char path[sizeof rules_path + 8];
  char line[512];
  snprintf(path, sizeof path, "%s.log", rules_path);
  int length = snprintf(line, sizeof line, "%s %s %s %lu\n", operation, name, rule->action,
      rule->value);
  int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (fd < 0) return;
  if (write(fd, line, (size_t)length) < 0) perror("faultfs: log");
  close(fd);
}

static int fits(
    const struct rule *rule,
    const char *operation,
    const char *name,
    uint64_t offset,
    size_t count) {
  if (strcmp(rule->operation, "*") != 0 && strcmp(rule->operation, operation) != 0) return 0;
  if (fnmatch(rule->name, name, 0) != 0) return 0;
  return count == 0 || (offset < rule->to && rule->from < offset + count);
}

static void pause_for(unsigned long milliseconds) {
  struct timespec time = {
    (time_t)(milliseconds / 1000), (long)(milliseconds % 1000) * 1000000,
  };
  nanosleep(&time, NULL);
}

/// Waits until the rules are others.
static void hang(unsigned long since) {
  for (;;) {
    pause_for(5);
    pthread_mutex_lock(&lock);
    load();
    unsigned long now = generation;
    pthread_mutex_unlock(&lock);
    if (now != since) return;
  }
}

struct fault next_fault(const char *operation, const char *name, uint64_t offset, size_t count) {
  struct fault fault = {.length = SIZE_MAX};
  unsigned long wait = 0, since = 0;
  int hangs = 0;
  pthread_mutex_lock(&lock);
  load();
  for (size_t index = 0; index < rule_count; index += 1) {
    struct rule *rule = &rules[index];
    if (!fits(rule, operation, name, offset, count)) continue;
    rule->seen += 1;
    if (rule->seen != rule->which && !(rule->is_lasting && rule->seen > rule->which)) continue;
    fault.is_recorded = strcmp(rule->action, "record") == 0;
    if (!fault.is_recorded) note(rule, operation, name);
    if (strcmp(rule->action, "errno") == 0) fault.error = (int)rule->value;
    if (strcmp(rule->action, "short") == 0) fault.length = rule->value;
    if (strcmp(rule->action, "delay") == 0) wait = rule->value;
    if (strcmp(rule->action, "flip") == 0) fault.flips = 1;
    hangs = strcmp(rule->action, "hang") == 0;
    since = generation;
    break;
  }
  pthread_mutex_unlock(&lock);
  if (wait > 0) pause_for(wait);
  if (hangs) hang(since);
  return fault;
}

void record(
    const char *operation, const char *name, uint64_t offset, const void *bytes, size_t count) {
  static int file = -1;
  char path[sizeof rules_path + 8];
  char line[512];
  int length = snprintf(line, sizeof line, "%s %s %llu %zu\n", operation, name,
      (unsigned long long)offset, count);
  struct iovec parts[2] = {{line, (size_t)length}, {(void *)bytes, count}};
  pthread_mutex_lock(&lock);
  if (file < 0) {
    snprintf(path, sizeof path, "%s.record", rules_path);
    file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  }
  // A record with a gap would prove nothing.
  if (writev(file, parts, 2) != length + (ssize_t)count) abort();
  pthread_mutex_unlock(&lock);
}
