// The functions of `group.h`.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CDispatchABI
internal import QueueRuntime

/// Creates a group with a count of 0.
@c @implementation
public func gcd_group_create() -> gcd_group_t {
  unsafe retained(WorkGroup())
}

/// Increments the count of a group, which exists until a call of `gcd_group_leave` follows.
@c @implementation
public func gcd_group_enter(_ group: gcd_group_t) {
  let group = unsafe Unmanaged<WorkGroup>.fromOpaque(group).retain()
  unsafe group._withUnsafeGuaranteedRef { group in
    named("dispatch_group_enter") { group.enterInPlace() }
  }
}

/// Decrements the count of a group.
@c @implementation
public func gcd_group_leave(_ group: gcd_group_t) {
  let group = unsafe Unmanaged<WorkGroup>.fromOpaque(group)
  unsafe group._withUnsafeGuaranteedRef { group in
    named("dispatch_group_leave") { group.leaveInPlace() }
  }
  // The reference of `gcd_group_enter`, which the calls above need.
  unsafe group.release()
}

/// Waits until the count of a group is 0, or until a time.
@c @implementation
public func gcd_group_wait(_ group: gcd_group_t, _ timeout: gcd_time_t) -> Int {
  unsafe with(group, as: WorkGroup.self) { group in
    TimeCode(timeout).wait(
      forever: { group.wait() },
      until: { group.wait(timeout: $0) },
      untilWall: { group.wait(wallTimeout: $0) }
    )
  }
}

/// Submits a function to a queue when the count of a group is 0.
@c @implementation
public func gcd_group_notify_f(
  _ group: gcd_group_t,
  _ queue: gcd_queue_t,
  _ context: UnsafeMutableRawPointer?,
  _ work: @escaping gcd_function_t
) {
  unsafe with(group, as: WorkGroup.self) { group in
    unsafe with(queue, as: WorkQueue.self) { queue in
      unsafe group.notify(queue: queue, context: context, function: work)
    }
  }
}

/// Submits a function as work of a group.
@c @implementation
public func gcd_group_async_f(
  _ group: gcd_group_t,
  _ queue: gcd_queue_t,
  _ context: UnsafeMutableRawPointer?,
  _ work: @escaping gcd_function_t
) {
  let call = unsafe FunctionCall(context: context, function: work)
  unsafe with(group, as: WorkGroup.self) { group in
    unsafe with(queue, as: WorkQueue.self) { call.submit(to: $0, in: group) }
  }
}
