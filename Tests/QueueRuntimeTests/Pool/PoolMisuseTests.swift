import QueueRuntime
import Testing

/// Sizes that no pool can have end the process.
@Suite struct PoolMisuseTests {
  @Test func aPoolOfNoWidth() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      _ = WorkerPool(name: "flat", width: 0, maximum: 1)
    }
    check(result, says: "A pool is at least 1 wide.")
  }

  @Test func aPoolWithoutRoomForItsWidth() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      _ = WorkerPool(name: "narrow", width: 3, maximum: 2)
    }
    check(result, says: "The most threads of a pool are no fewer than its width.")
  }

  @Test func aPoolOfTooManyThreads() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      _ = WorkerPool(name: "huge", width: 1, maximum: 4097)
    }
    check(result, says: "A pool has at most 4096 threads.")
    #expect(WorkerPool(name: "large", width: 4096, maximum: 4096).threadCount == 0)
  }
}
