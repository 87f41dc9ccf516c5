import Synchronization
import IOChannelsSystem
import Testing

@Suite("Parking")
struct ParkingTests {
  private final class Word: Sendable {
    let value = Atomic<UInt32>(0)
  }

  @Test("A wait returns at once when the word differs")
  func returnsAtOnceWhenTheWordDiffers() {
    let word = Word()
    let timedOut = word.value.park(while: 1)
    #expect(!timedOut)
  }

  @Test("A wait returns at its deadline")
  func returnsWhenTheTimeIsUp() {
    let word = Word()
    let start = ContinuousClock.now
    var timedOut = false
    while !timedOut { timedOut = word.value.park(while: 0, nanoseconds: 3_000_000) }
    #expect(start.duration(to: .now) >= .milliseconds(3))
    let isNegativeUp = word.value.park(while: 0, nanoseconds: -1)
    #expect(isNegativeUp)
  }

  @Test("Another thread wakes a waiting one")
  func isWokenByAnotherThread() throws {
    let word = Word()
    for round in UInt32(0)..<100 {
      try PlatformThread.start(name: "waker") {
        word.value.store(round + 1, ordering: .releasing)
        word.value.unpark()
      }
      while word.value.load(ordering: .acquiring) == round { word.value.park(while: round) }
    }
  }

  @Test("A blocked thread is recognized")
  func seesWhetherAThreadIsBlocked() throws {
    let word = Word()
    let number = Atomic<Int32>(0)
    #expect(!PlatformThread.isBlocked(number: PlatformThread.currentNumber))
    try PlatformThread.start(name: "a) R (b") {
      number.store(PlatformThread.currentNumber, ordering: .releasing)
      while word.value.load(ordering: .acquiring) == 0 { word.value.park(while: 0) }
      number.store(0, ordering: .releasing)
    }
    var thread: Int32 = 0
    while thread == 0 { thread = number.load(ordering: .acquiring) }
    while !PlatformThread.isBlocked(number: thread) {}
    word.value.store(1, ordering: .releasing)
    word.value.unpark()
    while number.load(ordering: .acquiring) != 0 {}
    #expect(PlatformThread.isBlocked(number: -1))
  }
}
