// The files that the kernel knows, by number.

#ifndef NODES_H
#define NODES_H

#include <stdint.h>

/// The number of the topmost directory.
#define ROOT_NODE 1

/// Opens the directory that everything is below.
int open_root(const char *path);

/// A handle of a file, or -1.
int node_handle(uint64_t node);

/// Copies the name under which a file was found last.
void node_name(uint64_t node, char name[256]);

/// Finds or makes the number of a file that was looked up; takes the handle over.
///
/// Returns 0 where there are too many files.
uint64_t remember(int handle, uint64_t device, uint64_t inode, const char *name);

/// Gives a file that was renamed its new name, if it is known.
void rename_node(uint64_t device, uint64_t inode, const char *name);

/// The kernel forgets so many of its lookups of a file.
void forget(uint64_t node, uint64_t lookups);

#endif
