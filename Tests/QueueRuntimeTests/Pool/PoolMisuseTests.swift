import QueueRuntime
import Testing

/// Sizes that no pool can have end the process.
@Suite struct PoolMisuseTests {
  @Test func aPoolOfNoWidth() async {
    await #expect(processExitsWith: .failure) {
      _ = WorkerPool(name: "flat", width: 0, maximum: 1)
    }
  }

  @Test func aPoolWithoutRoomForItsWidth() async {
    await #expect(processExitsWith: .failure) {
      _ = WorkerPool(name: "narrow", width: 3, maximum: 2)
    }
  }

  @Test func aPoolOfTooManyThreads() async {
    await #expect(processExitsWith: .failure) {
      _ = WorkerPool(name: "huge", width: 1, maximum: 4097)
    }
    #expect(WorkerPool(name: "large", width: 4096, maximum: 4096).threadCount == 0)
  }
}
