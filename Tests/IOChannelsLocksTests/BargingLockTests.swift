import IOChannelsSystem
import QueueRuntime
import Testing

@testable import IOChannelsLocks

@Suite("Barging lock")
struct BargingLockTests {
  @Test("A lock admits one thread at a time")
  func letsOneThreadInAtATime() throws {
    final class Shared: Sendable {
      let lock = BargingLock((first: 0, second: 0))
    }
    let shared = Shared()
    let all = WorkGroup()
    for _ in 0..<4 {
      all.enter()
      try PlatformThread.start(name: "lock") {
        for _ in 0..<20_000 {
          shared.lock.withLock { state in
            state.first += 1
            state.second = state.first * 2
          }
        }
        all.leave()
      }
    }
    all.wait()
    let (first, second) = shared.lock.withLock { $0 }
    #expect(first == 80_000)
    #expect(second == 160_000)
  }

  @Test("A lock releases its state")
  func releasesItsState() {
    final class Token: Sendable {}
    weak var watched: Token?
    do {
      let lock = BargingLock(Token())
      watched = lock.withLock { $0 }
    }
    #expect(watched == nil)
  }
}
