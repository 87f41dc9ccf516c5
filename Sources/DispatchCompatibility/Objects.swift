// The functions of `object.h`.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CDispatchABI
internal import DataRegions
internal import EventSources
internal import Glibc
internal import IOChannels
internal import QueueRuntime

/// Adds a reference to an object.
@c @implementation
public func gcd_retain(_ object: gcd_object_t) {
  if unsafe isImmortal(object) { return }
  _ = unsafe Unmanaged<AnyObject>.fromOpaque(object).retain()
}

/// Ends a reference to an object.
@c @implementation
public func gcd_release(_ object: gcd_object_t) {
  if unsafe isImmortal(object) { return }
  named("dispatch_release") { unsafe Unmanaged<AnyObject>.fromOpaque(object).release() }
}

/// Returns whether references to an object are not counted: the empty data, the main queue, the
/// global queues, and the attributes of queues, which are numbers and no addresses.
private func isImmortal(_ object: gcd_object_t) -> Bool {
  if UInt(bitPattern: object) < 1 << GCD_ATTR_WIDTH { return true }
  if unsafe object == gcdimpl_data_empty() { return true }
  return unsafe (instance(object) as? WorkQueue)?.isShared ?? false
}

/// Returns the context of an object; nil for objects without a count of references.
@c @implementation
public func gcd_get_context(_ object: gcd_object_t) -> UnsafeMutableRawPointer? {
  if unsafe isImmortal(object) { return nil }
  switch unsafe instance(object) {
  case let queue as WorkQueue: return unsafe queue.context
  case let group as WorkGroup: return unsafe group.context
  case let semaphore as CountingSemaphore: return unsafe semaphore.context
  case let source as EventSource: return unsafe source.context
  case let channel as IOChannel: return unsafe channel.context
  case let data as DataObject: return unsafe data.context
  default: return nil
  }
}

/// Sets the context of an object; has no effect on objects without a count of references.
@c @implementation
public func gcd_set_context(_ object: gcd_object_t, _ context: UnsafeMutableRawPointer?) {
  if unsafe isImmortal(object) { return }
  switch unsafe instance(object) {
  case let queue as WorkQueue: unsafe queue.context = context
  case let group as WorkGroup: unsafe group.context = context
  case let semaphore as CountingSemaphore: unsafe semaphore.context = context
  case let source as EventSource: unsafe source.context = context
  case let channel as IOChannel: unsafe channel.context = context
  case let data as DataObject: unsafe data.context = context
  default: break
  }
}

/// Sets the function that disposes of an object's context after the object is released.
@c @implementation
public func gcd_set_finalizer_f(_ object: gcd_object_t, _ finalizer: gcd_function_t?) {
  if unsafe isImmortal(object) { return }
  switch unsafe instance(object) {
  case let queue as WorkQueue: unsafe queue.setFinalizer(finalizer)
  case let group as WorkGroup: unsafe group.setFinalizer(finalizer)
  case let semaphore as CountingSemaphore: unsafe semaphore.setFinalizer(finalizer)
  case let source as EventSource: unsafe source.setFinalizer(finalizer)
  case let channel as IOChannel: unsafe channel.setFinalizer(finalizer)
  case let data as DataObject: unsafe data.setFinalizer(finalizer)
  default: break
  }
}

/// Starts a queue or source that was created inactive; has no effect on other objects.
@c @implementation
public func gcd_activate(_ object: gcd_object_t) {
  if unsafe isImmortal(object) { return }
  let object = unsafe instance(object)
  named("dispatch_activate") {
    switch object {
    case let queue as WorkQueue: queue.activate()
    case let source as EventSource:
      source.core.keepIfCancelled(source)
      source.activate()
    default: break
    }
  }
}

/// Keeps further work of a queue, or handlers of a source, from starting.
@c @implementation
public func gcd_suspend(_ object: gcd_object_t) {
  if unsafe isImmortal(object) { return }
  let object = unsafe instance(object)
  named("dispatch_suspend") {
    switch object {
    case let queue as WorkQueue: queue.suspend()
    case let source as EventSource: source.suspend()
    default: break
    }
  }
}

/// Ends one suspension of a queue or source, or activates a source.
@c @implementation
public func gcd_resume(_ object: gcd_object_t) {
  if unsafe isImmortal(object) { return }
  let object = unsafe instance(object)
  named("dispatch_resume") {
    switch object {
    case let queue as WorkQueue: queue.resume()
    case let source as EventSource:
      source.core.keepIfCancelled(source)
      source.resume()
    default: break
    }
  }
}

/// Sets the queue as whose work an object runs its own, and on which its finalizer runs.
@c @implementation
public func gcd_set_target_queue(_ object: gcd_object_t, _ target: gcd_queue_t?) {
  if unsafe isImmortal(object) { return }
  let object = unsafe instance(object)
  let target = unsafe queueInstance(target)
  named("dispatch_set_target_queue") {
    switch object {
    case let queue as WorkQueue: queue.setTarget(queue: target)
    case let source as EventSource: source.setTarget(queue: target)
    case let channel as IOChannel: channel.setTarget(queue: target)
    // Their finalizers run there.
    case let group as WorkGroup: group.setTarget(queue: target)
    case let semaphore as CountingSemaphore: semaphore.setTarget(queue: target)
    case let data as DataObject: data.setTarget(queue: target)
    default: break
    }
  }
}

/// Has no effect: a queue has the class with which it was created.
@c @implementation
public func gcd_set_qos_class_floor(
  _ object: gcd_object_t,
  _ qosClass: gcd_qos_class_t,
  _ relativePriority: Int32
) {}

/// Returns a string of C that describes an object, for `free`.
@c @implementation
public func gcdimpl_copy_description(_ object: gcd_object_t) -> UnsafeMutablePointer<CChar> {
  guard let copy = unsafe strdup(description(of: object)) else {
    stop(saying: "dispatch_debug: There is no memory for the text.")
  }
  return unsafe copy
}

private func description(of object: gcd_object_t) -> String {
  if unsafe object == gcdimpl_data_empty() { return DataBuffer.empty.debugDescription }
  return switch unsafe instance(object) {
  case let queue as WorkQueue: queue.debugDescription
  case let group as WorkGroup: "WorkGroup(entered \(group.count) times)"
  case let semaphore as CountingSemaphore: "CountingSemaphore(\(semaphore.value))"
  case let source as EventSource: source.debugDescription
  case let channel as IOChannel: channel.debugDescription
  case let data as DataObject: data.buffer.debugDescription
  default: "object"
  }
}
