@testable import IOChannelsLocks
@testable import QueueRuntime

/// What a thread of a model does with a queue.
enum ModelledCall: Hashable {
  case async
  case asyncBarrier
  case sync
  case syncBarrier
  case suspend
  case resume

  var isBarrier: Bool { self == .asyncBarrier || self == .syncBarrier }
  var waits: Bool { self == .sync || self == .syncBarrier }
}

/// What a model leaves out or does wrong, to show that its checks find that.
enum Mutant: CaseIterable {
  /// The list is let go of though something is new.
  case releaseWithoutLook
  /// The drain is parked without looking whether the queue is still stopped.
  case parkWithoutLook
  /// The stop is looked for before the oldest item was seen.
  case stopBeforeItem
  /// The one who resumes does not have the queue drained.
  case resumeWithoutDrain
  /// The first to add does not have the queue drained.
  case addWithoutDrain
  /// The list is let go of without the lock while workers are inside.
  case releaseWithoutLock
  /// Workers without the token pass a waiting barrier.
  case passWaitingBarrier
  /// A barrier is announced after it was added.
  case announceLate
  /// The last one out does not see to the barrier.
  case leaveBarrier
  /// A barrier starts beside those inside.
  case barrierAtOnce
  /// Waiting threads are let in without the lock while workers are inside.
  case giveOnWithoutLock
  /// Waiting threads are let into a stopped queue.
  case giveOnThoughStopped
  /// The one who lets waiting threads in leaves what takes a worker.
  case giveOnWithoutDrain
}

/// The memory that the threads of a model share, changed by the real transitions, and notes.
struct ModelledQueue: Hashable {
  struct Item: Hashable {
    var call: ModelledCall
    /// The first item of the same thread.
    var first: Int
    /// The stop during which it was submitted, -1 for none.
    var stop = -1
    var isAdmitted = false
    var hasStarted = false
    var hasEnded = false
  }

  var items: [Item] = []
  private var holdBits = HoldWord.free.bits
  /// The next older one of each item in the list.
  var links: [Int: UInt] = [:]
  /// The oldest ones, taken over by the holder.
  var oldest: [Int] = []
  private var suspensionBits: UInt64 = 0
  private var concurrentBits: UInt64 = 0
  var due: Int?
  var locker: Int?
  /// How often the queue waits in its target.
  var jobs = 0

  // Notes that decide nothing.
  var added: [Int] = []
  var running: [Int] = []
  var stops = 0
  var fault: String?

  var hold: HoldWord {
    get { HoldWord(bits: holdBits) }
    set { holdBits = newValue.bits }
  }

  var suspension: SuspensionWord {
    get { SuspensionWord(bits: suspensionBits) }
    set { suspensionBits = newValue.bits }
  }

  var concurrent: ConcurrentWord {
    get { ConcurrentWord(bits: concurrentBits) }
    set { concurrentBits = newValue.bits }
  }

  mutating func add(_ item: Int) -> Bool {
    let (next, link, isFirst) = hold.adding(UInt(item + 1) * 2)
    links[item] = link
    hold = next
    added.append(item)
    return isFirst
  }

  /// Takes the newest items from the word, in order.
  mutating func takeNewest() -> [Int] {
    var taken: [Int] = []
    var next = hold.newest
    while next != 0 {
      let item = Int(next / 2) - 1
      taken.insert(item, at: 0)
      next = links[item] ?? 0
      links[item] = nil
    }
    hold = .held
    return taken
  }

  mutating func start(_ item: Int, isConcurrent: Bool) {
    let call = items[item].call
    if items[item].hasStarted { fault = "An item starts twice." }
    let isAlone = !isConcurrent || call.isBarrier
    if running.contains(where: { isAlone || items[$0].call.isBarrier }) {
      fault = "Item \(item) starts beside another."
    }
    if suspension.isStopped && stops == items[item].stop {
      fault = "Item \(item) was submitted to a stopped queue and starts."
    }
    let earlier = added.firstIndex(of: item).map { added[..<$0] } ?? []
    for other in earlier + (items[item].first..<item)
    where items[other].call.isWork && !items[other].hasEnded {
      if isAlone || items[other].call.isBarrier { fault = "Item \(item) starts too early." }
    }
    items[item].hasStarted = true
    running.append(item)
  }

  /// Lets somebody inside, unless a barrier is there alone.
  mutating func enter() {
    if concurrent.isExclusive {
      fault = "Somebody enters beside a barrier."
    } else {
      concurrent = concurrent.entered
    }
  }

  mutating func endBarrier() {
    if concurrent.isExclusive && concurrent.barriers > 0 {
      concurrent = concurrent.barrierEnded
    } else {
      fault = "A barrier ends that was not alone or not announced."
    }
  }

  /// - Returns: Whether that made the waiting barrier exclusive.
  mutating func leave() -> Bool {
    guard concurrent.inside > 0 else {
      fault = "Somebody leaves who was not inside."
      return false
    }
    let (next, makesExclusive) = concurrent.left
    concurrent = next
    return makesExclusive
  }

  mutating func end(_ item: Int) {
    items[item].hasEnded = true
    running.removeAll { $0 == item }
  }
}
