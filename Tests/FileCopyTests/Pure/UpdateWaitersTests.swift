import Testing

@testable import FileCopy

/// Nobody waits for a moment that is over.
@Suite("Waits for progress")
struct UpdateWaitersTests {
  @Test("A waiter is resumed once, when its wait ends")
  func ends() {
    var waiters = UpdateWaiters<String>()
    let number = waiters.begin()
    let step1 = waiters.park("a", as: number)
    #expect(step1 == nil)
    let step2 = waiters.end(number)
    #expect(step2 == "a")
    let step3 = waiters.end(number)
    #expect(step3 == nil)
    #expect(waiters.count == 0)
  }

  @Test("A wait that ends before its waiter comes delays no task")
  func early() {
    var waiters = UpdateWaiters<String>()
    let number = waiters.begin()
    let step4 = waiters.end(number)
    #expect(step4 == nil)
    let step5 = waiters.park("a", as: number)
    #expect(step5 == "a")
    #expect(waiters.count == 0)
  }

  @Test("The end of the copy ends all waits, also later ones")
  func finish() {
    var unused = UpdateWaiters<String>()
    let wasUnused = unused.finishUnused()
    #expect(wasUnused && unused.isFinished)
    var waiters = UpdateWaiters<String>()
    let (one, two, three) = (waiters.begin(), waiters.begin(), waiters.begin())
    _ = waiters.park("a", as: one)
    _ = waiters.park("b", as: two)
    let step6 = waiters.finish().sorted()
    #expect(step6 == ["a", "b"])
    let step7 = waiters.park("c", as: three)
    #expect(step7 == "c")
    let four = waiters.begin()
    let step8 = waiters.park("d", as: four)
    #expect(step8 == "d")
    #expect(waiters.count == 0)
  }
}
