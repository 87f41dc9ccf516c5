#include "csystem_answer.h"
#include "csystem_memory.h"

#include <sys/mman.h>

void *csys_allocate_pages(size_t size) {
  void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

void csys_free_pages(void *memory, size_t size) { munmap(memory, size); }
