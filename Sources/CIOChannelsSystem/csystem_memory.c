#include "csystem_answer.h"
#include "csystem_memory.h"

#include <sys/mman.h>
#include <unistd.h>

void *csys_allocate_pages(size_t size) {
  void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

void csys_free_pages(void *memory, size_t size) { munmap(memory, size); }

csys_result csys_map_file(int fd, int64_t offset, size_t size) {
  void *memory = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, offset);
  return csys_answer(memory == MAP_FAILED ? -1 : (int64_t)(intptr_t)memory);
}

int64_t csys_page_size(void) { return sysconf(_SC_PAGESIZE); }
