import IOChannelsSystem
import QueueRuntime
import Testing

@testable import IOChannelsLocks

@Suite("Reference that is set once")
struct SetOnceReferenceTests {
  private final class Token: Sendable {}

  private final class Shared: Sendable {
    let reference = SetOnceReference<Token>()
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
    for _ in 0..<200 {
      let shared = Shared()
      let found = BargingLock<[Token]>([])
      let all = WorkGroup()
      for _ in 0..<4 {
        all.enter()
        try PlatformThread.start(name: "set-once") {
          let token = shared.reference.storeIfNil(Token())
          found.withLock { $0.append(token) }
          all.leave()
        }
      }
      all.wait()
      let tokens = found.withLock { $0 }
      #expect(tokens.count == 4)
      #expect(tokens.allSatisfy { $0 === shared.reference.load() })
    }
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
