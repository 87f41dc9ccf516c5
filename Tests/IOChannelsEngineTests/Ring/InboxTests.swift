import IOChannelsSystem
import QueueRuntime
import Testing

@testable import IOChannelsEngine

/// The inbox as a reference, which `#expect` can hold.
private final class Subject: Sendable {
  private let inbox = Inbox()
  private let owner = Answers()

  /// Adds a request with a number as its tag.
  func add(_ number: Int) -> Bool {
    let descriptor = BorrowedDescriptor(rawValue: -1)
    return inbox.add(Request(.close, descriptor: descriptor, tag: number, owner: owner))
  }

  func add(_ entry: InboxEntry) -> Bool { inbox.add(entry) }
  func hold() -> Bool { inbox.hold() }
  func release() -> Bool { inbox.release() }

  /// Removes the oldest request, and returns its number.
  func takeFirst() -> Int? { (inbox.takeFirst() as? Request)?.tag }
}

@Suite("Inbox of a ring's thread")
struct InboxTests {
  @Test("Requests are removed in order, and the first addition is reported")
  func order() {
    let inbox = Subject()
    #expect(inbox.add(1))
    #expect(!inbox.add(2))
    #expect(inbox.takeFirst() == 1)
    #expect(!inbox.add(3))
    #expect(!inbox.release())
    #expect(inbox.takeFirst() == 2)
    #expect(inbox.takeFirst() == 3)
    #expect(inbox.takeFirst() == nil)
    #expect(inbox.release())
    #expect(inbox.hold())
    #expect(!inbox.hold())
    #expect(!inbox.add(4))
    #expect(inbox.takeFirst() == 4)
    #expect(inbox.release())
    #expect(inbox.add(5))
  }

  @Test("Requests that remain are released")
  func remainingRequests() {
    weak var leftInside: Request?
    weak var leftTaken: Request?
    do {
      let inbox = Subject()
      let descriptor = BorrowedDescriptor(rawValue: -1)
      let requests = (0..<3).map { number in
        Request(.close, descriptor: descriptor, tag: number, owner: Answers())
      }
      leftTaken = requests[1]
      leftInside = requests[2]
      _ = inbox.add(requests[0])
      _ = inbox.add(requests[1])
      _ = inbox.takeFirst()
      _ = inbox.add(requests[2])
    }
    #expect(leftInside == nil)
    #expect(leftTaken == nil)
  }

  @Test("Requests of several threads arrive once, those of each thread in order")
  func threads() {
    let inbox = Subject()
    let (threadCount, each) = (4, 5000)
    let end = WorkGroup()
    for thread in 0..<threadCount {
      WorkQueue(label: "thread").async(group: end) {
        for number in 0..<each { _ = inbox.add(thread * each + number) }
      }
    }
    // The first sender has taken the list for this thread, at some time.
    var next = [Int](repeating: 0, count: threadCount)
    var isInOrder = true
    var left = threadCount * each
    while left > 0 {
      guard let number = inbox.takeFirst() else { continue }
      let (thread, place) = number.quotientAndRemainder(dividingBy: each)
      isInOrder = isInOrder && next[thread] == place
      next[thread] = place + 1
      left -= 1
    }
    end.wait()
    #expect(isInOrder)
    #expect(next == Array(repeating: each, count: threadCount))
    #expect(inbox.release())
  }
}
