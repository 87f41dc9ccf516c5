extension WorkQueue {
  /// A C function that takes a context.
  public typealias Function = @convention(c) (UnsafeMutableRawPointer?) -> Void

  /// Submits a C function and returns at once.
  ///
  /// The context is used on another thread; keeping it valid is the caller's affair.
  public func async(
    group: WorkGroup? = nil,
    qos: QoS = .unspecified,
    flags: WorkItem.Flags = [],
    context: UnsafeMutableRawPointer?,
    function: @escaping Function
  ) {
    let call = unsafe FunctionCall(context: context, function: function)
    async(group: group, qos: qos, flags: flags) { call() }
  }

  /// Calls a C function in its turn on the calling thread.
  ///
  /// - Precondition: As with `sync` of a closure.
  public func sync(
    flags: WorkItem.Flags = [],
    context: UnsafeMutableRawPointer?,
    function: Function
  ) {
    sync(flags: flags) { unsafe function(context) }
  }

  /// Calls a C function in its turn as work of the queue and returns when it has returned.
  ///
  /// - Precondition: As with `asyncAndWait` of a closure.
  public func asyncAndWait(
    flags: WorkItem.Flags = [],
    context: UnsafeMutableRawPointer?,
    function: Function
  ) {
    asyncAndWait(flags: flags) { unsafe function(context) }
  }

  /// Submits a C function at a point in time, and not before.
  ///
  /// The context is used on another thread; keeping it valid is the caller's affair.
  public func asyncAfter(
    deadline: Deadline,
    context: UnsafeMutableRawPointer?,
    function: @escaping Function
  ) {
    let call = unsafe FunctionCall(context: context, function: function)
    asyncAfter(deadline: deadline) { call() }
  }

  /// Submits a C function at a point of the wall clock.
  ///
  /// The context is used on another thread; keeping it valid is the caller's affair.
  public func asyncAfter(
    wallDeadline: WallDeadline,
    context: UnsafeMutableRawPointer?,
    function: @escaping Function
  ) {
    let call = unsafe FunctionCall(context: context, function: function)
    asyncAfter(wallDeadline: wallDeadline) { call() }
  }

  /// Calls a C function for each number below `iterations` as work of this queue.
  ///
  /// - Precondition: As with `concurrentPerform` of a closure.
  public func concurrentPerform(
    iterations: Int,
    context: UnsafeMutableRawPointer?,
    function: @convention(c) (UnsafeMutableRawPointer?, Int) -> Void
  ) {
    concurrentPerform(iterations: iterations) { unsafe function(context, $0) }
  }

  /// The pointer that was hung on the queue, nil at first.
  public var context: UnsafeMutableRawPointer? {
    get { unsafe attachments.look(\.context).pointer }
    set { attachments.change { unsafe $0.context.pointer = newValue } }
  }

  /// Sets the function that disposes of the context after the queue has gone.
  ///
  /// It runs on the queue's last target, and not at all without a context.
  public func setFinalizer(_ function: Function?) {
    attachments.change { unsafe $0.context.finalizer = function }
  }
}

extension WorkGroup {
  /// Submits a C function to a queue once the count is 0, at once if it is.
  ///
  /// The context is used on another thread; keeping it valid is the caller's affair.
  public func notify(
    queue: WorkQueue,
    context: UnsafeMutableRawPointer?,
    function: @escaping WorkQueue.Function
  ) {
    let call = unsafe FunctionCall(context: context, function: function)
    notify(queue: queue) { call() }
  }

  /// The pointer that was hung on the group, nil at first.
  public var context: UnsafeMutableRawPointer? {
    get { unsafe attachment.look { $0 }.pointer }
    set { attachment.change { unsafe $0.pointer = newValue } }
  }

  /// Sets the function that disposes of the context after the group has gone.
  ///
  /// It runs on the default global queue, and not at all without a context.
  public func setFinalizer(_ function: WorkQueue.Function?) {
    attachment.change { unsafe $0.finalizer = function }
  }
}

extension Once {
  /// Calls a C function if this is the first call; others return when it has returned.
  ///
  /// - Precondition: The function does not call this itself.
  public func perform(context: UnsafeMutableRawPointer?, function: WorkQueue.Function) {
    perform { unsafe function(context) }
  }
}
