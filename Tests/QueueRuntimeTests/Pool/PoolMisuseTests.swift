import QueueRuntime
import IOChannelsTestSupport
import Testing

@Suite("Sizes that no pool can have")
struct PoolMisuseTests {
  @Test("A pool without a width stops the program")
  func aPoolOfNoWidth() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      _ = WorkerPool(name: "flat", width: 0, maximumThreadCount: 1)
    }
    expectMessage("A pool is at least 1 wide.", from: result)
  }

  @Test("A pool whose maximum is below its width stops the program")
  func aPoolWithoutRoomForItsWidth() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      _ = WorkerPool(name: "narrow", width: 3, maximumThreadCount: 2)
    }
    expectMessage("The most threads of a pool are no fewer than its width.", from: result)
  }

  @Test("A pool of too many threads stops the program")
  func aPoolOfTooManyThreads() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      _ = WorkerPool(name: "huge", width: 1, maximumThreadCount: 4097)
    }
    expectMessage("A pool has at most 4096 threads.", from: result)
    #expect(WorkerPool(name: "large", width: 4096, maximumThreadCount: 4096).threadCount == 0)
  }
}
