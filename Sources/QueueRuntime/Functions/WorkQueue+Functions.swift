internal import IOChannelsLocks

extension WorkQueue {
  /// A C function that takes a context.
  package typealias Function = @convention(c) (UnsafeMutableRawPointer?) -> Void

  /// Submits a C function and returns at once.
  ///
  /// The context is used on another thread; the caller must keep it valid.
  package func async(
    group: WorkGroup? = nil,
    qos: QoS = .unspecified,
    flags: WorkItem.Flags = [],
    context: UnsafeMutableRawPointer?,
    function: @escaping Function
  ) {
    group?.enter()
    let call = unsafe FunctionCall(context: context, function: function)
    let work: QueuedWork = if let group { .functionInGroup(call, group) } else { .function(call) }
    let cause = DrainCause(qos: flags.effective(qos).qosClass)
    add(work, isBarrier: flags.contains(.barrier), for: cause)
  }

  /// Runs a C function in submission order, on the calling thread.
  ///
  /// It is not generic, so that a call from another module costs no more than one from this one.
  ///
  /// - Precondition: The same as for `sync` with a closure.
  package func sync(
    asBarrier isBarrier: Bool = false,
    context: UnsafeMutableRawPointer?,
    function: Function
  ) {
    sync(flags: isBarrier ? .barrier : []) { unsafe function(context) }
  }

  /// Runs a C function as work of the queue and returns when the function has returned.
  ///
  /// - Precondition: The same as for `asyncAndWait` with a closure.
  package func asyncAndWait(
    asBarrier isBarrier: Bool = false,
    context: UnsafeMutableRawPointer?,
    function: Function
  ) {
    asyncAndWait(flags: isBarrier ? .barrier : []) { unsafe function(context) }
  }

  /// Submits a C function at a deadline, never before it.
  ///
  /// The context is used on another thread; the caller must keep it valid.
  package func asyncAfter(
    deadline: Deadline,
    context: UnsafeMutableRawPointer?,
    function: @escaping Function
  ) {
    let call = unsafe FunctionCall(context: context, function: function)
    arm(at: deadline, nil, .submitCall(self, call))
  }

  /// Submits a C function at a deadline of the wall clock.
  ///
  /// The context is used on another thread; the caller must keep it valid.
  package func asyncAfter(
    wallDeadline: WallDeadline,
    context: UnsafeMutableRawPointer?,
    function: @escaping Function
  ) {
    let call = unsafe FunctionCall(context: context, function: function)
    arm(atWall: wallDeadline, nil, .submitCall(self, call))
  }

  /// Calls a C function for each number below `iterations` as work of this queue.
  ///
  /// - Precondition: The same as for `concurrentPerform` with a closure.
  package func concurrentPerform(
    iterations: Int,
    context: UnsafeMutableRawPointer?,
    function: @convention(c) (UnsafeMutableRawPointer?, Int) -> Void
  ) {
    perform(iterations) { for iteration in $0 { unsafe function(context, iteration) } }
  }

  /// The pointer attached to the queue, nil at first.
  package var context: UnsafeMutableRawPointer? {
    get { unsafe attachments.read(\.context).pointer }
    set { attachments.change { unsafe $0.context.pointer = newValue } }
  }

  /// Sets the function that disposes of the context after the queue is released.
  ///
  /// It runs on the queue's last target. Without a context it does not run.
  package func setFinalizer(_ function: Function?) {
    attachments.change { unsafe $0.context.finalizer = function }
  }
}

extension WorkGroup {
  /// Submits a C function to a queue when the group's count reaches 0, or at once if it is already
  /// 0.
  ///
  /// The context is used on another thread; the caller must keep it valid.
  package func notify(
    queue: WorkQueue,
    context: UnsafeMutableRawPointer?,
    function: @escaping WorkQueue.Function
  ) {
    let call = unsafe FunctionCall(context: context, function: function)
    notify(queue: queue) { call() }
  }
}

extension Once {
  /// Calls a C function if this is the first call; other calls return when the function has
  /// returned.
  ///
  /// - Precondition: The function does not call `perform` of the same object.
  package func perform(context: UnsafeMutableRawPointer?, function: WorkQueue.Function) {
    perform { unsafe function(context) }
  }
}
