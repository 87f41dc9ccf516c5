import CIOChannelsSystem
import FileCopy
import Glibc

/// The arguments and environment of the process.
struct ProcessSurroundings: Sendable {
  /// The last component of the path by which the program was started.
  let programName: String
  /// The arguments after the name, as bytes, because they need not be valid UTF-8.
  let arguments: [BytePath]
  /// The quoting of names, which depends on the locale's character set.
  let quoting: ShellQuoting
  /// The environment variables about backups.
  let backups: BackupRequest.Defaults
  /// The width of the terminal, if the environment variable `COLUMNS` sets it.
  let columns: Int?
  /// Whether the terminal type can redraw a line.
  let canDraw: Bool
  /// Whether `POSIXLY_CORRECT` is set: options end at the first operand, and a copy to a dangling
  /// link creates the file that the link names.
  let isPosixlyCorrect: Bool
  /// Whether the kernel enforces SELinux labels.
  let hasSecurityContexts: Bool
  /// Whether a write to a pipe without a reader ends the process, as `SIGPIPE` does by default.
  let endsAtBrokenPipe: Bool

  init() {
    let words = BytePath.commandLineArguments
    programName = words.first?.lastComponent?.description ?? "fastcp"
    arguments = Array(words.dropFirst())
    columns = ProcessSurroundings.variable("COLUMNS").flatMap { Int($0) }.flatMap {
      $0 > 1 ? $0 : nil
    }
    let terminal = ProcessSurroundings.variable("TERM") ?? "dumb"
    canDraw = !terminal.isEmpty && terminal != "dumb"
    isPosixlyCorrect = ProcessSurroundings.variable("POSIXLY_CORRECT") != nil
    endsAtBrokenPipe = csys_ignores_signal(CSYS_SIGPIPE).value == 0
    hasSecurityContexts = unsafe access("/sys/fs/selinux/enforce", F_OK) == 0
    backups = BackupRequest.Defaults(
      control: ProcessSurroundings.variable("VERSION_CONTROL").map { BytePath($0) },
      suffix: ProcessSurroundings.variable("SIMPLE_BACKUP_SUFFIX").map { BytePath($0) }
    )
    let locale =
      ["LC_ALL", "LC_CTYPE", "LANG"].lazy
      .compactMap { ProcessSurroundings.variable($0) }.first { !$0.isEmpty }
    let characterSet = (locale ?? "").uppercased().split(separator: ".").last ?? ""
    quoting = characterSet.hasPrefix("UTF-8") || characterSet.hasPrefix("UTF8") ? .utf8 : .ascii
  }

  /// Returns the value of a variable of the environment; nil if it is not set.
  static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }
}
