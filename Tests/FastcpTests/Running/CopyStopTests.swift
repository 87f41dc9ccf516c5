import IOChannelsTestSupport
import Testing

/// Copies that get a signal at each of their system calls.
@Suite("Stops at every call", .ends(withinMinutes: 10))
struct CopyStopTests {
  /// A small copy.
  struct Copy: CustomTestStringConvertible, Sendable {
    var name: String
    /// Makes the sources and what is at the destination before.
    var prepare: String
    var arguments: [String]
    /// Succeeds when the copy is complete.
    var isComplete: String
    /// Succeeds when what a stopped copy has left is in order.
    var isInOrder = "true"

    var testDescription: String { name }
  }

  static let copies: [Copy] = [
    Copy(
      name: "verified file",
      prepare: "head -c 200000 /dev/urandom >f; mkdir to",
      arguments: ["--verify", "f", "to/g"],
      isComplete: "cmp f to/g",
      isInOrder: "[ ! -e to/g ] || cmp f to/g"
    ),
    Copy(
      name: "verified atomic files",
      prepare: "echo 1 >f; head -c 200000 /dev/urandom >g; mkdir to; echo 2 >to/f; echo 3 >to/g",
      arguments: ["--verify", "--atomic", "f", "g", "to"],
      isComplete: "cmp f to/f && cmp g to/g",
      isInOrder: "[ $(cat to/f | head -c 9) = 2 ] || cmp f to/f"
    ),
    Copy(
      name: "overwritten with a backup",
      prepare: "echo 1 >f; mkdir to; echo 2 >to/f",
      arguments: ["-b", "--jobs=1", "f", "to"],
      isComplete: "cmp f to/f && [ $(cat to/f~) = 2 ]",
      isInOrder: "[ ! -e to/f~ ] && [ $(cat to/f) = 2 ] || cmp f to/f"
    ),
    Copy(
      name: "tree with hard links",
      prepare: "mkdir -p d/e to; echo 1 >d/f; ln d/f d/e/g; ln -s f d/l",
      arguments: ["-a", "d", "to"],
      isComplete: "diff -r --no-dereference d to/d && [ to/d/f -ef to/d/e/g ]"
    ),
    Copy(
      name: "two file systems",
      prepare: "mkdir d to; head -c 200000 /dev/urandom >d/f; echo 2 >d/g",
      arguments: ["-r", "--jobs=2", "d", "/dev/shm/$PLACE"],
      isComplete: "diff -r d /dev/shm/$PLACE"
    ),
  ]

  /// Runs the copy; the signal comes at call `number`.
  private func run(_ copy: Copy, at number: Int) throws -> (outcome: Outcome, calls: Int) {
    let place = try TemporaryDirectory()
    let outcome = try IOChannelsTestSupport.run(
      [
        "bash", "-c",
        """
        PLACE=${PWD##*/}
        trap 'rm -rf "/dev/shm/$PLACE"' EXIT
        \(copy.prepare)
        "$0" 15 \(number) calls "$1" --json \(copy.arguments.joined(separator: " "))
        status=$?
        if [ $status = 0 ]; then { \(copy.isComplete); } >&2
        else { \(copy.isInOrder); } >&2; fi || status=99
        find to "/dev/shm/$PLACE" -name '.fastcp-*' 2>/dev/null | grep . >&2 && status=98
        exit $status
        """, BuiltProgram.signalat.path, BuiltProgram.fastcp.path,
      ],
      directory: place.path
    )
    let calls = try runSuccessfully(["cat", place("calls")])
    return (outcome, Int(calls.dropLast()) ?? 0)
  }

  @Test("A copy is complete, or it is stopped and reports that (F14)", arguments: copies)
  func everyCall(copy: Copy) throws {
    let whole = try run(copy, at: .max)
    #expect(whole.outcome.succeeded, "\(whole.outcome)")
    // The start of the program takes most of the calls.
    let first = Tier.count(quick: max(whole.calls - 90, 1), full: 1)
    var stops = 0
    for number in stride(from: first, through: whole.calls, by: Tier.count(quick: 6, full: 1)) {
      let outcome = try run(copy, at: number).outcome
      let summary = outcome.outputText.split(separator: "\n").last ?? ""
      if outcome.status == 0 {
        #expect(summary.contains(#""stopped":false"#), "\(number): \(outcome)")
        #expect(outcome.errorText.isEmpty, "\(number): \(outcome)")
        continue
      }
      #expect(outcome.status == 128 + 15, "\(number): \(outcome)")
      // Before signals are watched the process just ends, and nothing was begun.
      if outcome.output.isEmpty && !outcome.errorText.contains(", stopped") { continue }
      stops += 1
      #expect(summary.contains(#""stopped":true"#), "\(number): \(outcome)")
      #expect(outcome.errorLines.contains { $0.contains(", stopped") }, "\(number): \(outcome)")
    }
    #expect(stops > 0)
  }
}
