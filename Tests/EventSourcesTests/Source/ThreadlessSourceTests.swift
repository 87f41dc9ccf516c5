import IOChannelsTestSupport
import Testing

@Suite("Sources with few or no threads")
struct ThreadlessSourceTests {
  private func events(in sandbox: [String]) throws -> String {
    try runSuccessfully(
      [BuiltProgram.sandboxrun.path] + sandbox + ["--", BuiltProgram.observe.path, "threadless"]
    )
  }

  @Test(
    "Where no thread can be started, data are delivered and descriptors are refused (S103, S188)",
    arguments: Sandbox.withoutThreads
  )
  func noThread(sandbox: [String]) throws {
    #expect(try events(in: sandbox) == "refused 11\ncancelled\nmerged 5050\n")
  }

  @Test(
    "The thread of the sources delivers all events if no worker can be started (S103)",
    .needs(.root)
  )
  func fewThreads() throws {
    let refused = try events(in: Sandbox.threads(1, user: 63_001))
    #expect(refused == "refused 11\ncancelled\nmerged 5050\n")
    // The second thread is that of the sources, and the third is a worker.
    for count in 2...3 {
      let received = try events(in: Sandbox.threads(count, user: 63_000 + count))
      #expect(
        received == "received 100\nended\ncancelled\nmerged 5050\n",
        "\(count) threads"
      )
    }
  }
}
