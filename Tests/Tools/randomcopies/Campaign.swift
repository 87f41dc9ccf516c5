import IOChannelsTestSupport

/// The comparison of many cases.
struct Campaign {
  /// The maximum number of cases whose differences are printed.
  private static let printLimit = 20
  /// The number of cases whose directories are removed at once.
  private static let batchSize = 20

  private let request: Request
  private let directory: TemporaryDirectory
  private let programs: ProgramPair

  /// Creates a campaign with a directory of its own.
  init(_ request: Request) throws {
    self.request = request
    directory = try TemporaryDirectory()
    try runSuccessfully(["chmod", "755", directory.path])
    programs = try ProgramPair(in: directory.path)
  }

  /// Compares all cases and prints those that differ.
  ///
  /// - Returns: Whether there were no differences but known ones.
  func run() throws -> Bool {
    print("\(programs.description), \(request.count) cases as \(request.user) from \(request.seed)")
    var failureCount = 0
    var known: [String: Int] = [:]
    var used: [String] = []
    for number in 0..<UInt64(request.count) {
      let copy = CopyCase(
        seed: request.seed &+ number,
        user: request.user,
        choices: programs.choices
      )
      let directories = ["reference", "tested"].map { directory("\(number)-\($0)") }
      used += directories
      let found = try difference(of: copy, in: directories)
      for reason in found.known { known[reason, default: 0] += 1 }
      if !found.difference.isEmpty {
        failureCount += 1
        if failureCount <= Campaign.printLimit { report(copy, found.difference) }
      }
      if used.count >= 2 * Campaign.batchSize {
        try runSuccessfully(["rm", "-rf"] + used)
        used = []
      }
    }
    print("\(request.count) cases, of which \(failureCount) differ")
    for (reason, count) in known.sorted(by: { $0.key < $1.key }) {
      print("known, \(count) times: \(reason)")
    }
    return failureCount == 0
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

  private func report(_ copy: CopyCase, _ difference: Difference) {
    print("seed \(copy.seed), in this tree:")
    for entry in copy.tree.entries { print("    \(entry)") }
    print("  \(copy)")
    for line in difference.lines { print("    \(line)") }
    print("  repeat: randomcopies --user \(copy.user) --seed \(copy.seed) --count 1")
  }
}
