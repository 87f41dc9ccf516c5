// The functions behind `block.h`: a block that `dispatch_block_create` returns owns an item.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CDispatchABI
internal import QueueRuntime

/// Creates an item that calls a function in each run, and another one at its end.
@c @implementation
public func gcdimpl_item_create(
  _ flags: UInt,
  _ qosClass: gcd_qos_class_t,
  _ relativePriority: Int32,
  _ context: UnsafeMutableRawPointer?,
  _ function: @escaping gcd_function_t,
  _ release: @escaping gcd_function_t
) -> gcd_item_t {
  let call = unsafe OwnedCall(context, function, release: release)
  let item = WorkItem(
    qos: WorkQueue.QoS(code: qosClass, relativePriority: relativePriority),
    flags: WorkItem.Flags(rawValue: flags)
  ) { call() }
  return unsafe retained(item)
}

/// Adds a reference to an item.
@c @implementation
public func gcdimpl_item_retain(_ item: gcd_item_t) {
  _ = unsafe Unmanaged<WorkItem>.fromOpaque(item).retain()
}

/// Ends a reference to an item.
@c @implementation
public func gcdimpl_item_release(_ item: gcd_item_t) {
  unsafe Unmanaged<WorkItem>.fromOpaque(item).release()
}

/// Runs an item on the calling thread, unless it was cancelled.
@c @implementation
public func gcdimpl_item_perform(_ item: gcd_item_t) {
  unsafe with(item, as: WorkItem.self) { $0.perform() }
}

/// Waits until an item has run, or until a time.
@c @implementation
public func gcdimpl_item_wait(_ item: gcd_item_t, _ timeout: gcd_time_t) -> Int {
  unsafe with(item, as: WorkItem.self) { item in
    named("dispatch_block_wait") {
      TimeCode(timeout).wait(
        forever: { item.wait() },
        until: { item.wait(timeout: $0) },
        untilWall: { item.wait(wallTimeout: $0) }
      )
    }
  }
}

/// Submits a function to a queue when an item has run.
@c @implementation
public func gcdimpl_item_notify(
  _ item: gcd_item_t,
  _ queue: gcd_queue_t,
  _ context: UnsafeMutableRawPointer?,
  _ function: @escaping gcd_function_t
) {
  let call = unsafe FunctionCall(context: context, function: function)
  unsafe with(item, as: WorkItem.self) { item in
    unsafe with(queue, as: WorkQueue.self) { queue in
      item.notify(queue: queue) { call() }
    }
  }
}

/// Submits another item to a queue when an item has run.
@c @implementation
public func gcdimpl_item_notify_item(
  _ item: gcd_item_t,
  _ queue: gcd_queue_t,
  _ notification: gcd_item_t
) {
  unsafe with(item, as: WorkItem.self) { item in
    unsafe with(queue, as: WorkQueue.self) { queue in
      unsafe with(notification, as: WorkItem.self) { item.notify(queue: queue, execute: $0) }
    }
  }
}

/// Prevents further runs of an item.
@c @implementation
public func gcdimpl_item_cancel(_ item: gcd_item_t) {
  unsafe with(item, as: WorkItem.self) { $0.cancel() }
}

/// Returns whether an item was cancelled.
@c @implementation
public func gcdimpl_item_testcancel(_ item: gcd_item_t) -> Bool {
  unsafe with(item, as: WorkItem.self) { $0.isCancelled }
}

/// Submits an item, as work of a group if there is one.
@c @implementation
public func gcdimpl_item_async(
  _ queue: gcd_queue_t,
  _ group: gcd_group_t?,
  _ item: gcd_item_t,
  _ barrier: Bool
) {
  let group = unsafe group.map { unsafe Unmanaged<WorkGroup>.fromOpaque($0).takeUnretainedValue() }
  unsafe with(item, as: WorkItem.self) { item in
    unsafe with(queue, as: WorkQueue.self) { queue in
      let flags = item.flags(asBarrier: barrier)
      queue.async(group: group, qos: item.qos, flags: flags) { item.perform() }
    }
  }
}

/// Runs an item in submission order and returns when it has run.
@c @implementation
public func gcdimpl_item_sync(_ queue: gcd_queue_t, _ item: gcd_item_t, _ barrier: Bool) {
  unsafe with(item, as: WorkItem.self) { item in
    unsafe with(queue, as: WorkQueue.self) { queue in
      named(barrier ? "dispatch_barrier_sync" : "dispatch_sync") {
        queue.sync(flags: item.flags(asBarrier: barrier)) { item.perform() }
      }
    }
  }
}

/// Runs an item as work of a queue and returns when it has run.
@c @implementation
public func gcdimpl_item_async_and_wait(
  _ queue: gcd_queue_t,
  _ item: gcd_item_t,
  _ barrier: Bool
) {
  unsafe with(item, as: WorkItem.self) { item in
    unsafe with(queue, as: WorkQueue.self) { queue in
      named(barrier ? "dispatch_barrier_async_and_wait" : "dispatch_async_and_wait") {
        queue.asyncAndWait(flags: item.flags(asBarrier: barrier)) { item.perform() }
      }
    }
  }
}

/// Submits an item at a time.
@c @implementation
public func gcdimpl_item_after(_ when: gcd_time_t, _ queue: gcd_queue_t, _ item: gcd_item_t) {
  unsafe with(item, as: WorkItem.self) { item in
    unsafe with(queue, as: WorkQueue.self) { queue in
      switch TimeCode(when) {
      case .deadline(let deadline): queue.asyncAfter(deadline: deadline, execute: item)
      case .wall(let deadline): queue.asyncAfter(wallDeadline: deadline, execute: item)
      case .forever: break
      }
    }
  }
}

/// Submits an item to a queue when the count of a group is 0.
@c @implementation
public func gcdimpl_item_group_notify(
  _ group: gcd_group_t,
  _ queue: gcd_queue_t,
  _ item: gcd_item_t
) {
  unsafe with(group, as: WorkGroup.self) { group in
    unsafe with(queue, as: WorkQueue.self) { queue in
      unsafe with(item, as: WorkItem.self) { group.notify(queue: queue, work: $0) }
    }
  }
}

extension WorkItem {
  /// Returns the flags of the item, as a barrier if the submission asks for one.
  fileprivate func flags(asBarrier isBarrier: Bool) -> Flags {
    isBarrier ? flags.union(.barrier) : flags
  }
}
