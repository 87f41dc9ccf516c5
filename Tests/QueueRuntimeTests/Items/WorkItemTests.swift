import Synchronization
import IOChannelsTestSupport
import Testing

@testable import QueueRuntime

@Suite("Items (S85)")
struct WorkItemTests {
  @Test("An item runs where it is submitted")
  func runsWhereItIsSubmitted() {
    let queue = WorkQueue(label: "items")
    let labels = Mutex<[String]>([])
    let item = WorkItem { labels.withLock { $0.append(WorkQueue.currentLabel) } }
    queue.async(execute: item)
    queue.sync(execute: item)
    queue.asyncAndWait(execute: item)
    #expect(labels.withLock { $0 } == ["items", "items", "items"])
  }

  @Test("The method perform runs on the calling thread and ends the wait")
  func performRunsOnTheCallingThreadAndEndsTheWait() {
    let count = Atomic<Int>(0)
    let item = WorkItem { count.add(1, ordering: .relaxed) }
    item.perform()
    item.wait()
    #expect(count.load(ordering: .relaxed) == 1)
  }

  @Test("A cancelled item counts as run without running")
  func aCancelledItemCountsAsRunWithoutRunning() {
    let queue = WorkQueue(label: "cancelled")
    let count = Atomic<Int>(0)
    let end = WorkGroup()
    end.enter()
    queue.async { end.wait() }
    let item = WorkItem { count.add(1, ordering: .relaxed) }
    let told = WorkGroup()
    told.enter()
    queue.async(group: told, execute: item)
    item.notify(queue: .global()) { told.leave() }
    #expect(!item.isCancelled)
    item.cancel()
    #expect(item.isCancelled)
    end.leave()
    item.wait()
    told.wait()
    #expect(count.load(ordering: .relaxed) == 0)
  }

  @Test("Cancelling does not stop a run that has begun")
  func cancellingDoesNotStopARunThatHasBegun() {
    let begun = WorkGroup()
    let end = WorkGroup()
    begun.enter()
    end.enter()
    let count = Atomic<Int>(0)
    let item = WorkItem {
      begun.leave()
      end.wait()
      count.add(1, ordering: .relaxed)
    }
    WorkQueue.global().async(execute: item)
    begun.wait()
    item.cancel()
    end.leave()
    item.wait()
    #expect(count.load(ordering: .relaxed) == 1)
  }

  @Test("A cancelled item that runs releases its closure at the end of the run (S326)")
  func capturesOfARunningItem() {
    final class Token: Sendable {}
    let begun = WorkGroup()
    let end = WorkGroup()
    begun.enter()
    end.enter()
    weak var watched: Token?
    let item: WorkItem
    do {
      let token = Token()
      watched = token
      item = WorkItem {
        begun.leave()
        end.wait()
        withExtendedLifetime(token) {}
      }
    }
    let queue = WorkQueue(label: "running")
    queue.async(execute: item)
    begun.wait()
    item.cancel()
    #expect(watched != nil)
    end.leave()
    queue.sync {}
    #expect(watched == nil)
  }

  @Test("Every notification comes once and in order")
  func everyNotificationComesOnceAndInOrder() {
    let queue = WorkQueue(label: "notified")
    let seen = Mutex<[Int]>([])
    let item = WorkItem {}
    for number in 0..<3 { item.notify(queue: queue) { seen.withLock { $0.append(number) } } }
    item.perform()
    let last = WorkItem { seen.withLock { $0.append(3) } }
    item.notify(queue: queue, execute: last)
    last.wait()
    item.perform()
    queue.sync {}
    #expect(seen.withLock { $0 } == [0, 1, 2, 3])
  }

  @Test("Barrier items are barriers")
  func barrierItemsAreBarriers() {
    let queue = WorkQueue(label: "barriers", attributes: .concurrent)
    let inside = Atomic<Int>(0)
    let group = WorkGroup()
    let overlaps = Atomic<Int>(0)
    for _ in 0..<50 {
      queue.async(group: group) {
        inside.add(1, ordering: .relaxed)
        inside.subtract(1, ordering: .relaxed)
      }
      let barrier = WorkItem(flags: .barrier) {
        if inside.load(ordering: .relaxed) != 0 { overlaps.add(1, ordering: .relaxed) }
      }
      queue.async(group: group, execute: barrier)
    }
    group.wait()
    #expect(overlaps.load(ordering: .relaxed) == 0)
  }

  @Test("An item takes the class of its submitter if requested")
  func takesTheClassOfItsSurroundingsWhenAsked() {
    let queue = WorkQueue(label: "utility", qos: .utility)
    let item = queue.sync { WorkItem(flags: .assignCurrentContext) {} }
    #expect(item.qos == .utility)
    #expect(queue.sync { WorkItem {} }.qos == .unspecified)
    let own = queue.sync { WorkItem(qos: .background, flags: .assignCurrentContext) {} }
    #expect(own.qos == .background)
  }

  @Test("Flags choose the class")
  func flagsChooseTheClass() {
    let own = WorkQueue.QoS.userInitiated
    let none = WorkItem.Flags()
    #expect(none.effective(own) == own)
    #expect(WorkItem.Flags.noQoS.effective(own) == .unspecified)
    #expect(WorkItem.Flags.inheritQoS.effective(own) == .unspecified)
    #expect(WorkItem.Flags.enforceQoS.effective(own) == own)
    #expect(WorkItem.Flags([.inheritQoS, .enforceQoS]).effective(own) == own)
  }

  @Test("An item that is released notifies its followers")
  func anItemThatIsLetGoOfTellsWhoFollowsIt() {
    let queue = WorkQueue(label: "told")
    let log = EventLog()
    do {
      let item = WorkItem { log.note("run") }
      item.notify(queue: queue) { log.note("told") }
      queue.sync {}
      #expect(log.events == [])
    }
    queue.sync {}
    #expect(log.events == ["told"])
  }

  @Test("An item that ran notifies once")
  func anItemThatRanTellsOnce() {
    let queue = WorkQueue(label: "told")
    let log = EventLog()
    do {
      let item = WorkItem {}
      item.notify(queue: queue) { log.note("told") }
      item.perform()
    }
    queue.sync {}
    #expect(log.events == ["told"])
  }

  /// The run comes anywhere between the first wish to hear of it and the place in the line.
  @Test("A notification that is added during the run comes once")
  func whoComesDuringTheRunIsToldOnce() {
    let rounds = Tier.count(quick: 20_000, full: 1_000_000)
    let queue = WorkQueue(label: "told")
    let told = Atomic<Int>(0)
    let all = WorkGroup()
    for round in 0..<rounds {
      let item = WorkItem {}
      WorkQueue.global().async(execute: item)
      for _ in 0..<2 {
        all.enter()
        item.notify(queue: queue) {
          told.add(1, ordering: .relaxed)
          all.leave()
        }
      }
      if round % 2 == 0 { item.wait() }
    }
    #expect(all.wait(timeout: .now() + .seconds(60)) == .success)
    #expect(told.load(ordering: .relaxed) == 2 * rounds)
  }

  @Test("Tasks wait for items")
  func tasksWaitForItems() async throws {
    let count = Atomic<Int>(0)
    let item = WorkItem { count.add(1, ordering: .relaxed) }
    WorkQueue.global().async(execute: item)
    try await item.completion()
    #expect(count.load(ordering: .relaxed) == 1)
    item.notify(queue: .global()) { count.add(1, ordering: .relaxed) }
    while count.load(ordering: .relaxed) < 2 { await Task.yield() }
  }

  @Test("A wait that timed out does not count")
  func aWaitThatWasGivenUpDoesNotCount() {
    let item = WorkItem {}
    #expect(item.wait { $0.wait { 0 } } == .timedOut)
    item.perform()
    #expect(item.wait { $0.wait { 0 } } == .success)
  }

  @Test("The end of the wait of a cancelled task does not count as the one wait (S85, S230)")
  func aCancelledWaitDoesNotCount() async throws {
    let item = WorkItem {}
    for _ in 0..<2 {
      let task = Task.immediate { try await item.completion() }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    // Without a wait that counts, an item may run again.
    item.perform()
    item.perform()
  }
}

@Suite("Item word")
struct ItemWordTests {
  @Test("Runs are counted up to more than one")
  func countsRunsUpToMoreThanOne() {
    let (once, isNotified) = ItemWord().followed.next.performed
    let (twice, isNotifiedAgain) = once.performed
    #expect(isNotified && !isNotifiedAgain)
    #expect(once.runs == 1 && twice.runs == 2 && twice.performed.next == twice)
  }

  @Test("The first run notifies all that came before its end")
  func tellsOfTheFirstRunWhoCameBeforeItsEnd() {
    #expect(!ItemWord().performed.isNotified)
    let (word, isNotified) = ItemWord().performed.next.followed
    #expect(!isNotified && word == ItemWord().performed.next)
    #expect(ItemWord().followed.next.performed.next.followed.isNotified)
  }

  @Test("The parts of the state do not overlap")
  func keepsItsPartsApart() {
    for runs in 0...2 {
      var word = ItemWord()
      for _ in 0..<runs { word = word.performed.next }
      #expect(word.cancelled.runs == UInt32(runs) && !word.cancelled.isAwaited)
      #expect(word.cancelled.isCancelled && !word.isCancelled)
      if runs < 2 {
        #expect(word.awaited.isAwaited && !word.awaited.isCancelled)
        #expect(word.awaited.unawaited == word)
      }
      if runs == 0 { #expect(word.awaited.performed.next.isAwaited) }
    }
  }
}
