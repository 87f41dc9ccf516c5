import IOChannelsSystem
import QueueRuntime
import Synchronization
import Testing

@testable import IOChannelsLocks

@Suite("Reference that is set once")
struct SetOnceReferenceTests {
  private final class Token: Sendable {}

  private final class Shared: Sendable {
    let reference = SetOnceReference<Token>()
    let count = Atomic<Int>(0)
  }

  @Test("A reference is nil until it is set, and keeps its first instance")
  func keepsTheFirst() {
    let shared = Shared()
    #expect(shared.reference.load() == nil)
    let first = Token()
    #expect(shared.reference.storeIfNil(first) === first)
    #expect(shared.reference.storeIfNil(Token()) === first)
    #expect(shared.reference.load() === first)
  }

  @Test("Threads that set a reference at once get the same instance")
  func threadsAgree() throws {
    let all = (0..<10_000).map { _ in Shared() }
    let arrivals = Shared()
    let ended = WorkGroup()
    let found = BargingLock<[[Token]]>([])
    for _ in 0..<2 {
      ended.enter()
      try PlatformThread.start(name: "set-once") {
        arrivals.count.wrappingAdd(1, ordering: .relaxed)
        while arrivals.count.load(ordering: .relaxed) < 2 {}
        let tokens = all.map { shared in
          // The faster thread waits for the other one at each reference.
          shared.count.wrappingAdd(1, ordering: .relaxed)
          for _ in 0..<300 where shared.count.load(ordering: .relaxed) < 2 {}
          return shared.reference.storeIfNil(Token())
        }
        found.withLock { $0.append(tokens) }
        ended.leave()
      }
    }
    ended.wait()
    let (first, second) = found.withLock { ($0[0], $0[1]) }
    let different = zip(first, second).count { $0 !== $1 }
    #expect(different == 0)
  }

  @Test("A reference releases its instance, and one that was not stored is released at once")
  func releasesInstances() {
    weak var stored: Token?
    weak var refused: Token?
    do {
      let shared = Shared()
      do {
        let (first, second) = (Token(), Token())
        (stored, refused) = (first, second)
        _ = shared.reference.storeIfNil(first)
        _ = shared.reference.storeIfNil(second)
      }
      #expect(stored != nil)
      #expect(refused == nil)
      withExtendedLifetime(shared) {}
    }
    #expect(stored == nil)
  }
}
