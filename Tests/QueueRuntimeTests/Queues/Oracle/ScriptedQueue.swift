import Dispatch
import QueueRuntime

/// What a script needs of a queue, here and in Dispatch.
protocol ScriptedQueue: Sendable {
  associatedtype Group: Sendable

  static func makeGroup() -> Group
  static func make(isConcurrent: Bool, isInactive: Bool, target: Self?) -> Self
  func submit(isBarrier: Bool, _ body: @escaping @Sendable () -> Void)
  func submit(in group: Group, _ body: @escaping @Sendable () -> Void)
  func submit(after group: Group, _ body: @escaping @Sendable () -> Void)
  func runSync(isBarrier: Bool, _ body: () -> Void)
  func stop()
  func goOn()
  func start()
  func move(to target: Self)
}

struct OurQueue: ScriptedQueue {
  let queue: WorkQueue

  static func makeGroup() -> WorkGroup { WorkGroup() }

  static func make(isConcurrent: Bool, isInactive: Bool, target: OurQueue?) -> OurQueue {
    var attributes: WorkQueue.Attributes = isConcurrent ? .concurrent : []
    if isInactive { attributes.insert(.initiallyInactive) }
    return OurQueue(
      queue: WorkQueue(label: "ours", attributes: attributes, target: target?.queue)
    )
  }

  func submit(isBarrier: Bool, _ body: @escaping @Sendable () -> Void) {
    queue.async(flags: isBarrier ? .barrier : [], execute: body)
  }

  func submit(in group: WorkGroup, _ body: @escaping @Sendable () -> Void) {
    queue.async(group: group, execute: body)
  }

  func submit(after group: WorkGroup, _ body: @escaping @Sendable () -> Void) {
    group.notify(queue: queue, execute: body)
  }

  func runSync(isBarrier: Bool, _ body: () -> Void) {
    queue.sync(flags: isBarrier ? .barrier : [], execute: body)
  }

  func stop() { queue.suspend() }
  func goOn() { queue.resume() }
  func start() { queue.activate() }
  func move(to target: OurQueue) { queue.setTarget(queue: target.queue) }
}

struct DispatchedQueue: ScriptedQueue, @unchecked Sendable {
  /// A group of Dispatch, which any thread may use.
  struct Group: @unchecked Sendable {
    let group = DispatchGroup()
  }

  let queue: DispatchQueue

  static func makeGroup() -> Group { Group() }

  static func make(
    isConcurrent: Bool,
    isInactive: Bool,
    target: DispatchedQueue?
  ) -> DispatchedQueue {
    var attributes: DispatchQueue.Attributes = isConcurrent ? .concurrent : []
    if isInactive { attributes.insert(.initiallyInactive) }
    return DispatchedQueue(
      queue: DispatchQueue(label: "theirs", attributes: attributes, target: target?.queue)
    )
  }

  func submit(isBarrier: Bool, _ body: @escaping @Sendable () -> Void) {
    queue.async(flags: isBarrier ? .barrier : [], execute: body)
  }

  func submit(in group: Group, _ body: @escaping @Sendable () -> Void) {
    queue.async(group: group.group, execute: body)
  }

  func submit(after group: Group, _ body: @escaping @Sendable () -> Void) {
    group.group.notify(queue: queue, execute: body)
  }

  func runSync(isBarrier: Bool, _ body: () -> Void) {
    queue.sync(flags: isBarrier ? .barrier : [], execute: body)
  }

  func stop() { queue.suspend() }
  func goOn() { queue.resume() }
  func start() { queue.activate() }
  func move(to target: DispatchedQueue) { queue.setTarget(queue: target.queue) }
}
