import IOChannelsSystem
import QueueRuntime
import Synchronization
import Testing

@testable import IOChannelsLocks

@Suite("Reference that is set once")
struct SetOnceReferenceTests {
  private final class Token: Sendable {
    let value: Int

    init(value: Int = 0) {
      self.value = value
    }
  }

  private final class Shared: Sendable {
    let reference = SetOnceReference<Token>()
    let arrivals = Atomic<Int>(0)
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

  @Test("Threads that set a reference at once get the same instance, and readers see it complete")
  func threadsAgree() throws {
    for round in 1...50 {
      let shared = Shared()
      let found = BargingLock<[Token]>([])
      let all = WorkGroup()
      for number in 0..<4 {
        all.enter()
        try PlatformThread.start(name: "set-once") { [shared] in
          shared.arrivals.wrappingAdd(1, ordering: .relaxed)
          while shared.arrivals.load(ordering: .relaxed) < 4 {}
          var token = shared.reference.load()
          if number.isMultiple(of: 2) {
            token = shared.reference.storeIfNil(Token(value: round))
          } else {
            while token == nil { token = shared.reference.load() }
          }
          found.withLock { tokens in token.map { tokens.append($0) } }
          all.leave()
        }
      }
      all.wait()
      let tokens = found.withLock { $0 }
      #expect(tokens.count == 4)
      #expect(tokens.allSatisfy { $0 === shared.reference.load() && $0.value == round })
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
