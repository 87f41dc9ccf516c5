internal import Synchronization

/// A thread that starts other threads on behalf of threads with a changed priority.
///
/// A thread inherits the priority of its starting thread, and cannot raise it without a privilege.
/// So a thread with a changed priority asks this one, which has normal priority. It starts before
/// the first change, and never ends.
final class ThreadStarter: Sendable {
  private final class Order: Sendable {
    let name: String
    let body: @Sendable () -> Void
    /// The error number of the start, 0 for none.
    let error = Atomic<Int32>(0)
    let isDone = Atomic<UInt32>(0)

    init(name: String, body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }
  }

  static let shared = ThreadStarter()

  private let orders = Mutex<[Order]>([])
  /// The number of orders so far, on which the thread parks.
  private let posted = Atomic<UInt32>(0)
  /// The state of the thread: 0 if there is none, 1 while it starts, 2 if it runs.
  private let presence = Atomic<UInt32>(0)
  private let generation = ProcessGeneration.current

  /// Whether the thread runs in this process; a child of a fork has the state, but no thread.
  var isThere: Bool {
    presence.load(ordering: .acquiring) == 2 && generation == ProcessGeneration.current
  }

  /// Starts the thread if it does not run.
  ///
  /// If it cannot start, and in a child of a fork, threads with a changed priority start other
  /// threads themselves.
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

  /// Orders the start of a thread and waits for its success or failure.
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
