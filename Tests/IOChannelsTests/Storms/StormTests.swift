import IOChannelsTestSupport
import Testing

/// Each storm has a process of its own, which at the end has no more threads and descriptors than
/// before.
@Suite("Storms of channels (I1, I3, I4, I17, I21, F24, S315, S320, S321)")
struct StormTests {
  private func storm(_ way: String, _ backend: TestBackend, quick: Int, full: Int) throws {
    if backend == .ring { try Need.ring.orSkip() }
    let directory = try TemporaryDirectory()
    let seed = SeededGenerator(for: way).seed
    let outcome = try IOChannelsTestSupport.run(
      [
        BuiltProgram.channeltool.path, "storm", way, backend.setting, "\(seed)",
        "\(Tier.count(quick: quick, full: full))", directory.path,
      ],
      environment: ["SWIFT_BACKTRACE": "enable=no"],
      // It has a limit of its own, which says so.
      timeout: .seconds(3600)
    )
    #expect(outcome.succeeded && outcome.outputText == "done\n", "seed \(seed): \(outcome)")
  }

  @Test(
    "The kernel uses neither memory nor descriptors after their end",
    arguments: TestBackend.real
  )
  func theKernelUsesNeitherMemoryNorDescriptorsAfterTheirEnd(backend: TestBackend) throws {
    try storm("reuse", backend, quick: 600, full: 20_000)
  }

  @Test(
    "A descriptor that is closed meanwhile gives an error or the right bytes",
    arguments: TestBackend.real
  )
  func aDescriptorTakenAwayGivesAnErrorOrTheRightBytes(backend: TestBackend) throws {
    try storm("rude", backend, quick: 400, full: 10_000)
  }

  @Test("Reads wait while no descriptor is free (S322)", arguments: TestBackend.real)
  func readsWaitWithoutFreeDescriptors(backend: TestBackend) throws {
    try storm("scarce", backend, quick: 400, full: 10_000)
  }
}
