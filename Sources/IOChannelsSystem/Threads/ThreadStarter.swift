internal import Synchronization

/// One thread that starts threads for those that stepped back behind others.
///
/// A thread inherits its place from the one that starts it and, without a privilege, can never
/// move forward. So a lowered thread asks this one, which has the place of ordinary threads. It
/// starts before the first thread is lowered, and stays.
final class ThreadStarter: Sendable {
  private final class Order: Sendable {
    let name: String
    let body: @Sendable () -> Void
    /// The error of the start, 0 for none.
    let error = Atomic<Int32>(0)
    let isDone = Atomic<UInt32>(0)

    init(name: String, body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }
  }

  static let shared = ThreadStarter()

  private let orders = Mutex<[Order]>([])
  /// Counts the orders, to be parked on.
  private let posted = Atomic<UInt32>(0)
  /// 0 without a thread, 1 while one starts, 2 with one.
  private let presence = Atomic<UInt32>(0)
  private let generation = ProcessGeneration.current

  /// Whether somebody is there to ask: a child of a fork has the word, but not the thread.
  var isThere: Bool {
    presence.load(ordering: .acquiring) == 2 && generation == ProcessGeneration.current
  }

  /// Starts the thread unless it is there; without one, lowered threads start others themselves, as
  /// they do in a child of a fork.
  func ensure() {
    while !isThere && generation == ProcessGeneration.current {
      let isMine = presence.compareExchange(
        expected: 0,
        desired: 1,
        successOrdering: .acquiring,
        failureOrdering: .relaxed
      ).exchanged
      guard isMine else {
        presence.park(while: 1)
        continue
      }
      let starts = (try? PlatformThread.startHere(name: "thread-starter") { self.serve() }) != nil
      presence.store(starts ? 2 : 0, ordering: .releasing)
      return presence.unpark(.max)
    }
  }

  /// Has a thread started and waits until it is, or is not.
  func start(name: String, body: @escaping @Sendable () -> Void) throws(SystemError) {
    let order = Order(name: name, body: body)
    orders.withLock { $0.append(order) }
    posted.add(1, ordering: .releasing)
    posted.unpark()
    while order.isDone.load(ordering: .acquiring) == 0 { order.isDone.park(while: 0) }
    let error = order.error.load(ordering: .relaxed)
    if error != 0 { throw SystemError(rawValue: error) }
  }

  private func serve() {
    while true {
      let seen = posted.load(ordering: .acquiring)
      let taken = orders.withLock { orders in
        defer { orders.removeAll() }
        return orders
      }
      if taken.isEmpty { posted.park(while: seen) }
      taken.forEach(carryOut)
    }
  }

  private func carryOut(_ order: Order) {
    do {
      try PlatformThread.startHere(name: order.name, body: order.body)
    } catch {
      order.error.store(error.rawValue, ordering: .relaxed)
    }
    order.isDone.store(1, ordering: .releasing)
    order.isDone.unpark()
  }
}
