// The functions of `queue.h`.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CDispatchABI
internal import QueueRuntime

// MARK: - Queues

/// Returns the queue whose work the calling thread runs.
@c @implementation
public func gcd_get_current_queue() -> gcd_queue_t {
  unsafe borrowed(WorkQueue.current)
}

/// Returns the main queue.
@c @implementation
public func gcd_get_main_queue() -> gcd_queue_t {
  unsafe borrowed(WorkQueue.main)
}

/// Returns a global queue; nil for an unknown identifier or unknown flags.
@c @implementation
public func gcd_get_global_queue(_ identifier: Int, _ flags: UInt) -> gcd_queue_t? {
  guard let qosClass = WorkQueue.QoS.QoSClass(globalQueue: identifier) else { return nil }
  switch flags {
  case 0: return unsafe borrowed(WorkQueue.global(qos: qosClass))
  case UInt(GCD_QUEUE_OVERCOMMIT): return unsafe borrowed(WorkQueue.overcommit(qos: qosClass))
  default: return nil
  }
}

/// Creates a queue.
@c @implementation
public func gcd_queue_create(
  _ label: UnsafePointer<CChar>?,
  _ attributes: gcd_queue_attr_t?
) -> gcd_queue_t {
  unsafe retained(makeQueue(label, attributes, target: nil))
}

/// Creates a queue with a target; nil stands for the default one.
@c @implementation
public func gcd_queue_create_with_target(
  _ label: UnsafePointer<CChar>?,
  _ attributes: gcd_queue_attr_t?,
  _ target: gcd_queue_t?
) -> gcd_queue_t {
  unsafe retained(makeQueue(label, attributes, target: queueInstance(target)))
}

private func makeQueue(
  _ label: UnsafePointer<CChar>?,
  _ attributes: gcd_queue_attr_t?,
  target: WorkQueue?
) -> WorkQueue {
  let attributes = QueueAttributes(code: UInt(bitPattern: attributes))
  let name: String? = unsafe label.flatMap { unsafe String(validatingCString: $0) }
  let queue = WorkQueue(
    label: name ?? "",
    qos: attributes.qos,
    attributes: attributes.options,
    target: target
  )
  // A label that is not UTF-8 is kept for the program, as bytes.
  if let label = unsafe label, name == nil { unsafe queue.storeLabel(label) }
  return queue
}

/// Returns the label of a queue as a string of C that lives as long as the queue.
@c @implementation
public func gcd_queue_get_label(_ queue: gcd_queue_t?) -> UnsafePointer<CChar> {
  let queue = unsafe queueInstance(queue) ?? WorkQueue.current
  return unsafe queue.labelBytes.start
}

/// Returns the class of a queue's quality of service, and its relative priority.
@c @implementation
public func gcd_queue_get_qos_class(
  _ queue: gcd_queue_t,
  _ relativePriority: UnsafeMutablePointer<Int32>?
) -> gcd_qos_class_t {
  let qos = unsafe with(queue, as: WorkQueue.self) { $0.qos }
  // A priority is relative to a class.
  let relative = qos.qosClass == .unspecified ? 0 : qos.relativePriority
  unsafe relativePriority?.pointee = Int32(relative)
  return qos.qosClass.code
}

/// Makes a concurrent queue serial for the work that follows if the width is 0 or 1, otherwise
/// concurrent again. A serial queue ignores it.
///
/// Negative widths stand for numbers of processors.
@c @implementation
public func gcd_queue_set_width(_ queue: gcd_queue_t, _ width: Int) {
  unsafe with(queue, as: WorkQueue.self) { $0.setConcurrent(width > 1 || width < 0) }
}

/// Runs the main queue on the main thread, and never returns.
@c @implementation
public func gcd_main() -> Never {
  named("dispatch_main") { WorkQueue.checkThatMainMayRun() }
  WorkQueue.runMain()
}

// MARK: - Submission

/// Submits a function and returns at once.
@c @implementation
public func gcd_async_f(
  _ queue: gcd_queue_t,
  _ context: UnsafeMutableRawPointer?,
  _ work: @escaping gcd_function_t
) {
  let call = unsafe FunctionCall(context: context, function: work)
  unsafe with(queue, as: WorkQueue.self) { call.submit(to: $0) }
}

/// Submits a function as a barrier and returns at once.
@c @implementation
public func gcd_barrier_async_f(
  _ queue: gcd_queue_t,
  _ context: UnsafeMutableRawPointer?,
  _ work: @escaping gcd_function_t
) {
  let call = unsafe FunctionCall(context: context, function: work)
  unsafe with(queue, as: WorkQueue.self) { call.submit(to: $0, asBarrier: true) }
}

/// Runs a function in submission order and returns when it has returned.
@c @implementation
public func gcd_sync_f(
  _ queue: gcd_queue_t,
  _ context: UnsafeMutableRawPointer?,
  _ work: @escaping gcd_function_t
) {
  unsafe with(queue, as: WorkQueue.self) { queue in
    named("dispatch_sync") {
      unsafe queue.sync(asBarrier: false, context: context, function: work)
    }
  }
}

/// Runs a function as a barrier and returns when it has returned.
@c @implementation
public func gcd_barrier_sync_f(
  _ queue: gcd_queue_t,
  _ context: UnsafeMutableRawPointer?,
  _ work: @escaping gcd_function_t
) {
  unsafe with(queue, as: WorkQueue.self) { queue in
    named("dispatch_barrier_sync") {
      unsafe queue.sync(asBarrier: true, context: context, function: work)
    }
  }
}

/// Runs a function as work of a queue and returns when it has returned.
@c @implementation
public func gcd_async_and_wait_f(
  _ queue: gcd_queue_t,
  _ context: UnsafeMutableRawPointer?,
  _ work: @escaping gcd_function_t
) {
  unsafe with(queue, as: WorkQueue.self) { queue in
    named("dispatch_async_and_wait") {
      unsafe queue.asyncAndWait(asBarrier: false, context: context, function: work)
    }
  }
}

/// Runs a function as a barrier of a queue and returns when it has returned.
@c @implementation
public func gcd_barrier_async_and_wait_f(
  _ queue: gcd_queue_t,
  _ context: UnsafeMutableRawPointer?,
  _ work: @escaping gcd_function_t
) {
  unsafe with(queue, as: WorkQueue.self) { queue in
    named("dispatch_barrier_async_and_wait") {
      unsafe queue.asyncAndWait(asBarrier: true, context: context, function: work)
    }
  }
}

/// Calls a function for each number below `iterations` and returns after all calls.
@c @implementation
public func gcd_apply_f(
  _ iterations: Int,
  _ queue: gcd_queue_t?,
  _ context: UnsafeMutableRawPointer?,
  _ work: @escaping gcd_apply_function_t
) {
  let queue = unsafe queueInstance(queue) ?? WorkQueue.ofCurrentClass
  named("dispatch_apply") {
    unsafe queue.concurrentPerform(iterations: iterations, context: context, function: work)
  }
}

/// Submits a function at a time.
@c @implementation
public func gcd_after_f(
  _ when: gcd_time_t,
  _ queue: gcd_queue_t,
  _ context: UnsafeMutableRawPointer?,
  _ work: @escaping gcd_function_t
) {
  unsafe with(queue, as: WorkQueue.self) { queue in
    switch TimeCode(when) {
    case .deadline(let deadline):
      unsafe queue.asyncAfter(deadline: deadline, context: context, function: work)
    case .wall(let deadline):
      unsafe queue.asyncAfter(wallDeadline: deadline, context: context, function: work)
    case .forever:
      break
    }
  }
}

// MARK: - Values of queues

/// Stores a value under an address, or removes it with a nil context.
@c @implementation
public func gcd_queue_set_specific(
  _ queue: gcd_queue_t,
  _ key: UnsafeRawPointer?,
  _ context: UnsafeMutableRawPointer?,
  _ destructor: gcd_function_t?
) {
  if unsafe key == nil { return }
  let value = unsafe context.map { unsafe AddressedValue($0, destructor: destructor) }
  unsafe with(queue, as: WorkQueue.self) { queue in
    queue.setSpecific(address: UInt(bitPattern: key), value: value)
  }
}

/// Returns the value that a queue itself stores under an address.
@c @implementation
public func gcd_queue_get_specific(
  _ queue: gcd_queue_t,
  _ key: UnsafeRawPointer?
) -> UnsafeMutableRawPointer? {
  unsafe with(queue, as: WorkQueue.self) { queue in
    unsafe queue.specific(address: UInt(bitPattern: key))?.pointer
  }
}

/// Returns the value under an address of the current queue or of the nearest target that has one.
@c @implementation
public func gcd_get_specific(_ key: UnsafeRawPointer?) -> UnsafeMutableRawPointer? {
  unsafe WorkQueue.specific(address: UInt(bitPattern: key))?.pointer
}

// MARK: - Conditions

/// Stops the program unless the calling thread runs work of a queue.
@c @implementation
public func gcd_assert_queue(_ queue: gcd_queue_t) {
  unsafe with(queue, as: WorkQueue.self) { queue in
    named("dispatch_assert_queue") { WorkQueue.precondition(.onQueue(queue)) }
  }
}

/// Stops the program unless the calling thread runs a barrier of a queue.
@c @implementation
public func gcd_assert_queue_barrier(_ queue: gcd_queue_t) {
  unsafe with(queue, as: WorkQueue.self) { queue in
    named("dispatch_assert_queue_barrier") { WorkQueue.precondition(.onQueueAsBarrier(queue)) }
  }
}

/// Stops the program if the calling thread runs work of a queue.
@c @implementation
public func gcd_assert_queue_not(_ queue: gcd_queue_t) {
  unsafe with(queue, as: WorkQueue.self) { queue in
    named("dispatch_assert_queue_not") { WorkQueue.precondition(.notOnQueue(queue)) }
  }
}
