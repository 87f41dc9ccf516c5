import IOChannelsSystem
import IOChannelsTestSupport

/// One run of a case, in a directory of its own.
struct CaseRun {
  /// The maximum time of a copy.
  private static let timeout = Duration.seconds(20)
  /// The maximum number of questions that are answered.
  private static let answerCount = 100

  private let copy: CopyCase
  /// The working directory of the program. Links may lead to its parent, which is empty otherwise.
  private let place: String

  /// Creates the files of a case in a new directory.
  init(_ copy: CopyCase, in directory: String) throws {
    self.copy = copy
    place = "\(directory)/place"
    let root = BorrowedDescriptor.workingDirectory
    for path in [directory, place] { try root.makeDirectory(BytePath(path), permissions: 0o755) }
    try copy.tree.create(in: place)
    let handle = try root.open(BytePath(place), [.path, .directory])
    try handle.borrowed.setOwnerOfHandle(copy.user.number, group: copy.user.number)
  }

  /// Runs a program, and returns what can be seen of it.
  func observe(_ program: Program) throws -> Observation {
    let user = copy.user == .root ? [] : ["uid=\(copy.user.number)"]
    let answers = String(repeating: copy.agrees ? "y\n" : "n\n", count: CaseRun.answerCount)
    var environment: [String: String?] = [
      "PATH": "\(program.directory):/usr/bin:/bin", "LC_ALL": "C", "POSIXLY_CORRECT": nil,
      "VERSION_CONTROL": nil, "SIMPLE_BACKUP_SUFFIX": nil, "IOCHANNELS_BACKEND": nil,
    ]
    for (name, value) in copy.environment { environment[name] = value }
    let child = try ChildProcess(
      [BuiltProgram.sandboxrun.path] + user + program.refusals + ["--", "cp"] + copy.words,
      environment: environment,
      directory: place,
      input: Array(answers.utf8)
    )
    // A program that waits for ever has been killed.
    let outcome = try? child.wait(timeout: CaseRun.timeout)
    return try Observation(outcome, of: TreeListing(of: place), in: place)
  }
}
