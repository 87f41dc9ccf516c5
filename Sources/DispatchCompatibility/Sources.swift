// The functions of `source.h`.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CDispatchABI
internal import EventSources
internal import QueueRuntime

/// Creates a source; nil for a handle or mask that its type does not permit, and where the system
/// has no such events.
@c @implementation
public func gcd_source_create(
  _ type: gcd_source_type_t,
  _ handle: UInt,
  _ mask: UInt,
  _ queue: gcd_queue_t?
) -> gcd_source_t? {
  let request = unsafe SourceRequest(
    kind: type.pointee.kind,
    handle: handle,
    mask: mask,
    queue: queueInstance(queue)
  )
  guard let source = request.makeSource() else { return nil }
  return unsafe retained(source)
}

// MARK: - Handlers

/// Sets the function that is called with the source's context for each delivery.
///
/// It gets the context that the source had at its activation, or now if it is active.
@c @implementation
public func gcd_source_set_event_handler_f(_ source: gcd_source_t, _ handler: gcd_function_t?) {
  unsafe with(source, as: EventSource.self) { source in
    guard let handler = unsafe handler else { return source.setEventHandler(handler: nil) }
    if source.isActive {
      let call = unsafe FunctionCall(context: source.context, function: handler)
      source.setEventHandler(handler: source.handler { _ in call() })
    } else {
      let function = unsafe HandlerFunction(handler)
      source.setEventHandler(handler: source.handler { unsafe function.call($0.contextOfEvents) })
    }
  }
}

/// Sets the function that is called with the source's context after the source was cancelled.
@c @implementation
public func gcd_source_set_cancel_handler_f(_ source: gcd_source_t, _ handler: gcd_function_t?) {
  unsafe with(source, as: EventSource.self) { source in
    guard let handler = unsafe handler else { return source.setCancelHandler(handler: nil) }
    let function = unsafe HandlerFunction(handler)
    source.setCancelHandler(handler: source.handler { unsafe function.call($0.context) })
  }
}

/// Sets the function that is called with the source's context when the source is registered.
@c @implementation
public func gcd_source_set_registration_handler_f(
  _ source: gcd_source_t,
  _ handler: gcd_function_t?
) {
  unsafe with(source, as: EventSource.self) { source in
    guard let handler = unsafe handler else { return source.setRegistrationHandler(handler: nil) }
    let function = unsafe HandlerFunction(handler)
    source.setRegistrationHandler(handler: source.handler { unsafe function.call($0.context) })
  }
}

/// Sets a handler with a context of its own, which is released when the handler is dropped.
@c @implementation
public func gcdimpl_source_set_handler(
  _ source: gcd_source_t,
  _ kind: Int32,
  _ context: UnsafeMutableRawPointer?,
  _ function: @escaping gcd_function_t,
  _ release: @escaping gcd_function_t
) {
  let call = unsafe OwnedCall(context, function, release: release)
  unsafe with(source, as: EventSource.self) { source in
    let handler = source.handler { _ in call() }
    switch kind {
    case GCD_HANDLER_EVENT: source.setEventHandler(handler: handler)
    case GCD_HANDLER_CANCEL: source.setCancelHandler(handler: handler)
    default: source.setRegistrationHandler(handler: handler)
    }
  }
}

/// A function of a C program that is called with the context of a source.
@safe
private struct HandlerFunction: @unchecked Sendable {
  private let function: gcd_function_t

  init(_ function: @escaping gcd_function_t) { unsafe self.function = function }

  func call(_ context: UnsafeMutableRawPointer?) { unsafe function(context) }
}

extension EventSource {
  /// Returns a handler that keeps the source while it runs, because a C program may release the
  /// source meanwhile.
  fileprivate func handler(
    _ body: @escaping @Sendable (EventSource) -> Void
  ) -> @Sendable () -> Void {
    let handler: @Sendable () -> Void = { [weak self] in
      guard let source = self else { return }
      withExtendedLifetime(source) { body(source) }
    }
    return handler
  }
}

// MARK: - Life

/// Cancels a source, which exists until its cancel handler has returned.
@c @implementation
public func gcd_source_cancel(_ source: gcd_source_t) {
  unsafe with(source, as: EventSource.self) { $0.core.cancel(keeping: $0) }
}

/// Returns whether a source was cancelled.
@c @implementation
public func gcd_source_testcancel(_ source: gcd_source_t) -> Int {
  unsafe with(source, as: EventSource.self) { $0.isCancelled ? 1 : 0 }
}

// MARK: - Properties

/// Returns the number with which a source was created.
@c @implementation
public func gcd_source_get_handle(_ source: gcd_source_t) -> UInt {
  switch unsafe instance(source) {
  case let source as ReadSource: source.handle
  case let source as WriteSource: source.handle
  case let source as SignalSource: source.handle
  case let source as SilentSource: source.handle
  case let source as ProcessSource: UInt(source.handle)
  case let source as FileSystemSource: UInt(source.handle)
  default: 0
  }
}

/// Returns the events that a source reports; 0 once it was cancelled.
@c @implementation
public func gcd_source_get_mask(_ source: gcd_source_t) -> UInt {
  switch unsafe instance(source) {
  case let source as TimerSource: source.isCancelled ? 0 : source.flags.rawValue
  case let source as ProcessSource: source.mask.rawValue
  case let source as FileSystemSource: source.mask.rawValue
  case let source as MemoryPressureSource: source.mask.rawValue
  default: 0
  }
}

/// Returns the data of the running call of the event handler; 0 outside of it.
@c @implementation
public func gcd_source_get_data(_ source: gcd_source_t) -> UInt {
  unsafe with(source, as: EventSource.self) { $0.core.data }
}

/// Merges data into a source of data.
@c @implementation
public func gcd_source_merge_data(_ source: gcd_source_t, _ value: UInt) {
  unsafe with(source, as: EventSource.self) { source in
    named("dispatch_source_merge_data") {
      // A cast would retain the source, at the cost of a source with weak references.
      if type(of: source) != DataSource.self {
        stop(saying: "Only a source of data merges values.", "S184")
      }
      source.core.merge(value)
    }
  }
}

/// Sets the first fire, interval and leeway of a timer source.
@c @implementation
public func gcd_source_set_timer(
  _ source: gcd_source_t,
  _ start: gcd_time_t,
  _ interval: UInt64,
  _ leeway: UInt64
) {
  let repeating: Duration? =
    interval < UInt64(Int64.max) ? Duration.nanoseconds(Int64(interval)) : nil
  let leeway = Duration.nanoseconds(Int64(clamping: leeway))
  unsafe with(source, as: EventSource.self) { source in
    named("dispatch_source_set_timer") {
      guard let timer = source as? TimerSource else {
        stop(saying: "Only a timer source has a schedule.", "S185")
      }
      switch TimeCode(start) {
      case .deadline(let deadline):
        timer.schedule(deadline: deadline, repeating: repeating, leeway: leeway)
      case .wall(let deadline):
        timer.schedule(wallDeadline: deadline, repeating: repeating, leeway: leeway)
      case .forever:
        timer.schedule(deadline: .distantFuture, repeating: repeating, leeway: leeway)
      }
    }
  }
}
