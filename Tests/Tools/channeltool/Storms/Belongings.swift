import Glibc
import IOChannelsEngine
import Synchronization
import IOChannelsSystem
import IOChannelsTestSupport

/// What of the process's an engine may leave behind.
struct Belongings: Equatable {
  var descriptors: Int
  var threads: Int

  init() throws {
    descriptors = try Belongings.count("/proc/self/fd")
    threads = try namedThreadCount()
  }

  private static func count(_ path: String) throws -> Int {
    let directory = try BorrowedDescriptor.workingDirectory.open(BytePath(path), .directory)
    var reader = DirectoryReader()
    var entries: [DirectoryEntry] = []
    while try reader.read(directory.borrowed, into: &entries) != nil {}
    return entries.count
  }
}

/// Counts requests, and stops the program where the kernel met memory that was gone.
final class Watch: RequestObserver {
  private let submittedCount = Atomic<Int>(0)
  private let completedCount = Atomic<Int>(0)

  func chose(_ choice: BackendChoice) {}

  func submitted(_ request: RequestSummary, to route: Route) {
    submittedCount.add(1, ordering: .relaxed)
  }

  func retried(_ request: RequestSummary, after error: SystemError) {}
  func rerouted(_ request: RequestSummary) {}

  func completed(_ request: RequestSummary, _ result: TransferResult) {
    completedCount.add(1, ordering: .relaxed)
    if result == .failure(.badAddress) { stop(saying: "EFAULT for \(request)") }
  }

  /// Checks that every request has ended once.
  func checkEnd() {
    let (submitted, completed) = (
      submittedCount.load(ordering: .relaxed), completedCount.load(ordering: .relaxed)
    )
    if submitted != completed { stop(saying: "\(completed) of \(submitted) requests ended") }
    check(submitted > 0)
  }
}

/// Ends the program where something is not as it has to be.
func check(_ condition: Bool, _ line: Int = #line, _ file: String = #fileID) {
  if condition { return }
  stop(saying: "\(file) line \(line)")
}

/// Has the program end with a sentence when it takes longer.
func limitTime(seconds: Int) {
  _ = signal(SIGALRM) { _ in stop(saying: "The storm hangs.") }
  alarm(UInt32(clamping: seconds))
}

/// Switches a known defect on; false in a build without defects.
func activateDefect(_ name: String) -> Bool {
  #if MUTANTS
    let defect = Mutant.allCases.first { "\($0)" == name }
    defect?.activate()
    return defect != nil
  #else
    return false
  #endif
}
