// Runs one row of the tests of the C interface in a process of its own.
//
//   gcdtool --list
//   gcdtool ROW
//
// It prints "done" if all checks of the row were true.

#include "tool.h"

static const struct row *const tables[] = {
    channel_rows, data_rows,   descriptor_rows,  error_rows, group_rows, item_rows,
    misuse_rows,  object_rows, observation_rows, once_rows,  queue_rows, source_rows,
    specific_rows, time_rows,  timer_rows,       width_rows, write_rows,
};

int main(int count, char **arguments) {
  if (count != 2) {
    fprintf(stderr, "usage: gcdtool --list | ROW\n");
    return 2;
  }
  bool lists = strcmp(arguments[1], "--list") == 0;
  // A row that hangs ends by the signal.
  alarm(60);
  for (size_t table = 0; table < sizeof tables / sizeof *tables; table++) {
    for (const struct row *row = tables[table]; row->name; row++) {
      if (lists) puts(row->name);
      if (strcmp(row->name, arguments[1]) != 0) continue;
      row->function();
      puts("done");
      fflush(stdout);
      _exit(0);
    }
  }
  if (lists) return 0;
  fprintf(stderr, "gcdtool: no row %s\n", arguments[1]);
  return 2;
}
