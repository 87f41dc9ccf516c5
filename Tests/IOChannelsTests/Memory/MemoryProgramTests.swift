import IOChannelsTestSupport
import Testing

@Suite("Memory of programs with many operations (I11, S115)")
struct MemoryProgramTests {
  /// What the child has measured; memory in bytes.
  private struct Figures {
    /// The most that the budget has lent.
    let lent: Int
    /// The most transfers that had memory at a time.
    let transfers: Int
    /// How much more memory was resident than before.
    let grown: Int
    /// How much memory was resident in all.
    let resident: Int
  }

  private static let budget = 64 << 20
  /// What the allocator and the threads of the engine may take besides.
  private static let slack = 24 << 20
  /// More than an operation that waits takes.
  private static let perOperation = 1 << 10

  private func figures(
    _ way: String,
    _ backend: TestBackend,
    count: Int
  ) throws -> Figures {
    if backend == .ring { try Need.ring.orSkip() }
    let directory = try TemporaryDirectory()
    let setting = backend.setting
    let output = try runSuccessfully(
      [BuiltProgram.channeltool.path, "memory", way, setting, "\(count)", directory.path],
      environment: ["SWIFT_BACKTRACE": "enable=no"],
      // Many times what it takes; when each read looks at all others it takes longer.
      timeout: .seconds(120)
    )
    let numbers = output.split { $0 == " " || $0 == "\n" }.compactMap { Int($0) }
    guard numbers.count == 4 else { throw TestFailure("\(way): \(output)") }
    return Figures(
      lent: numbers[0],
      transfers: numbers[1],
      grown: (numbers[3] - numbers[2]) << 10,
      resident: numbers[3] << 10
    )
  }

  @Test("Reads that wait have no memory", arguments: TestBackend.real)
  func readsThatWaitHaveNoMemory(backend: TestBackend) throws {
    let count = Tier.count(quick: 10_000, full: 100_000)
    let figures = try figures("queued", backend, count: count)
    let share = Self.budget / 4
    // Threads count a delivery before they give back what it was read into.
    #expect(figures.lent <= share + 64 * 4 << 10)
    #expect(figures.transfers <= 256)
    #expect(figures.grown <= share + count * Self.perOperation + Self.slack)
  }

  @Test("Many channels have the budget and one piece each", arguments: TestBackend.real)
  func manyChannelsHaveTheBudgetAndAPieceEach(backend: TestBackend) throws {
    let count = Tier.count(quick: 200, full: 1000)
    let figures = try figures("channels", backend, count: count)
    let most = Self.budget + count * 64 << 10
    #expect(figures.lent <= most)
    #expect(figures.grown <= most + count * 16 * Self.perOperation + Self.slack)
  }

  @Test("Kept bytes are most of the memory", arguments: TestBackend.real)
  func keptBytesAreMostOfTheMemory(backend: TestBackend) throws {
    let count = Tier.count(quick: 20_000, full: 100_000)
    let figures = try figures("kept", backend, count: count)
    #expect(count * 4 << 10 >= figures.resident * 2 / 5)
  }
}
