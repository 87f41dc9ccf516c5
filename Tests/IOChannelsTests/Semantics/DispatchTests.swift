import IOChannelsTestSupport
import Testing

/// Each side runs in a process of its own.
///
/// Compared are the deliveries of each operation with their bytes (of pipes the sum and the end),
/// barriers and whether they see a descriptor, the errors of cleanups, and at the end the position
/// and the content of the file. A script has one thread, and channels that are created from each
/// other. Its one-shot transfers are of files, and most of its files are smaller than a step. Turns
/// among channels, large transfers, and everything that needs time are left to other tests. The
/// known differences between both sides (a failed lazy open, pieces of pipes) are left
/// out.
@Suite("Scripts (S1 to S5, S7, S8, S12 to S17, S20, S21, S23, S25, S28, S29, S31, S33, S37, S130)")
struct DispatchTests {
  private func lines(_ side: String, _ first: Int, _ count: Int, _ backend: String?) throws
    -> [Substring]
  {
    let directory = try TemporaryDirectory()
    let outcome = try run(
      [BuiltProgram.channeltool.path, "scripts", side, "\(first)", "\(count)", directory.path],
      // Both runs hash alike.
      environment: ["IOCHANNELS_BACKEND": backend, "SWIFT_DETERMINISTIC_HASHING": "1"],
      timeout: .seconds(300)
    )
    #expect(outcome.succeeded, "\(side): \(outcome.outputText.suffix(2000))")
    return outcome.outputText.split(separator: "\n")
  }

  /// `channeltool scripts show NUMBER 1` prints the script of a line.
  @Test("Scripts give the same results")
  func scriptsGiveTheSameResults() throws {
    var generator = SeededGenerator()
    let first = generator.number(in: 0..<1_000_000_000)
    let count = Tier.count(quick: 500, full: 10_000)
    let theirs = try lines("dispatch", first, count, nil)
    #expect(theirs.count == count)
    let backends = Need.ring.isMet ? ["uring", "threads"] : ["threads"]
    for backend in backends {
      let ours = try lines("ours", first, count, backend)
      let differences = zip(ours, theirs).filter { $0 != $1 }
      #expect(ours.count == theirs.count)
      #expect(differences.isEmpty, "\(backend): \(differences.prefix(3))")
    }
  }
}
