// Runs random command lines with the copier and with cp, and compares status, output and files.
//
//   randomcopies [--count COUNT] [--seed SEED] [--user root|nobody] [--jobs JOBS] [--server ERROR]
//
// A command line has random options and operands. It runs twice in the same random tree of files,
// as the given user. The reference is the program in FASTCP_REFERENCE_CP, or else the installed cp,
// and only options that its help names are used. The first case has the given seed, the next one
// the next seed. JOBS cases run at once, at most one for each processor. Each case that differs
// prints one line: the command that repeats it, and the command line. With one case, its files and
// the differences follow. The status is 0 if nothing differs but known differences, 1 if something
// does, and 2 for a wrong command. With --server the exclusive renames of the copier fail with an
// error, as on many servers. Only root can run it, because it creates files of several users.

import Glibc
import IOChannelsSystem

private func status() -> Int32 {
  guard let request = Request(CommandLine.arguments.dropFirst()), ProcessLimits.isSuperuser else {
    print(Request.usage)
    return 2
  }
  do {
    return try Campaign(request).run() ? 0 : 1
  } catch {
    print("randomcopies: \(error)")
    return 2
  }
}

exit(status())
