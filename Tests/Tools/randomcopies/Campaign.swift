import IOChannelsTestSupport
import QueueRuntime
import Synchronization

/// The comparison of many cases.
final class Campaign: Sendable {
  /// The maximum number of cases that are printed.
  private static let printLimit = 100
  /// The number of cases whose directories are removed at once.
  private static let batchSize = 20

  private let request: Request
  private let directory: TemporaryDirectory
  private let programs: ProgramPair
  private let next = Atomic<Int>(0)
  private let results = Mutex(Results())

  /// The results of all cases so far.
  private struct Results {
    var failureCount = 0
    var known: [String: Int] = [:]
    /// An error that ended the comparison.
    var error: (any Error)?
  }

  /// Creates a campaign with a directory of its own.
  init(_ request: Request) throws {
    self.request = request
    directory = try TemporaryDirectory()
    try runSuccessfully(["chmod", "755", directory.path])
    programs = try ProgramPair(in: directory.path, serverError: request.serverError)
  }

  /// Compares all cases, several at a time, and prints those that differ.
  ///
  /// - Returns: Whether there were no differences but known ones.
  func run() throws -> Bool {
    print("\(programs.description), \(request.count) cases as \(request.user) from \(request.seed)")
    WorkQueue.concurrentPerform(iterations: request.jobs) { _ in compareCases() }
    let results = results.withLock { $0 }
    if let error = results.error { throw error }
    print("\(request.count) cases, of which \(results.failureCount) differ")
    for (reason, count) in results.known.sorted(by: { $0.key < $1.key }) {
      print("known, \(count) times: \(reason)")
    }
    return results.failureCount == 0
  }

  /// Compares cases until none is left.
  private func compareCases() {
    var used: [String] = []
    do {
      while true {
        let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
        if number >= request.count { return }
        let directories = ["reference", "tested"].map { directory("\(number)-\($0)") }
        used += directories
        try compareCase(number, in: directories)
        if used.count >= 2 * Campaign.batchSize {
          try runSuccessfully(["rm", "-rf"] + used)
          used = []
        }
      }
    } catch {
      next.store(request.count, ordering: .relaxed)
      results.withLock { $0.error = error }
    }
  }

  private func compareCase(_ number: Int, in directories: [String]) throws {
    let copy = CopyCase(
      seed: request.seed &+ UInt64(number),
      user: request.user,
      choices: programs.choices
    )
    let found = try difference(of: copy, in: directories)
    results.withLock { results in
      for reason in found.known { results.known[reason, default: 0] += 1 }
      if found.difference.isEmpty { return }
      results.failureCount += 1
      if results.failureCount <= Campaign.printLimit { report(copy, found.difference) }
    }
  }

  private func difference(
    of copy: CopyCase,
    in directories: [String]
  ) throws -> (difference: Difference, known: [String]) {
    let reference = try CaseRun(copy, in: directories[0]).observe(programs.reference)
    let tested = try CaseRun(copy, in: directories[1]).observe(programs.tested)
    // Links that are followed can make the copy as large as the disk.
    if !reference.hasEnded && !tested.hasEnded { return (Difference(), []) }
    var difference = Difference(reference: reference, tested: tested)
    var reasons: [String] = []
    for known in KnownDifference.all where !difference.isEmpty {
      guard known.applies(to: copy, reference, tested, programs.reference.version) else { continue }
      if difference.remove(known.parts) { reasons.append(known.reason) }
    }
    return (difference, reasons)
  }

  /// Prints the command that repeats a case, and the command line. A case that is repeated is
  /// printed with its files and the differences.
  private func report(_ copy: CopyCase, _ difference: Difference) {
    let server = request.serverError.map { " --server \($0)" } ?? ""
    print("randomcopies --user \(copy.user) --seed \(copy.seed) --count 1\(server) # \(copy)")
    guard request.count == 1 else { return }
    for entry in copy.tree.entries { print("    \(entry)") }
    for line in difference.lines { print("    \(line)") }
  }
}
