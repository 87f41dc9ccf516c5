extension EventSource {
  /// Sets the closure that is called for each delivery, nil for none.
  ///
  /// It replaces the former one from the next delivery on. Events that arrive while there is no
  /// handler are lost. The quality of service is that of a work item with these flags; other flags
  /// have no effect.
  @preconcurrency
  public final func setEventHandler(
    qos: WorkQueue.QoS = .unspecified,
    flags: WorkItem.Flags = [],
    handler: (@Sendable () -> Void)?
  ) {
    core.setEventHandler(handler.map { SourceHandler(qos: qos, flags: flags, body: $0) })
  }

  /// Sets the work item that is performed for each delivery.
  public final func setEventHandler(handler: WorkItem) {
    core.setEventHandler(SourceHandler(handler))
  }

  /// Sets the closure that is called once after the source was cancelled, nil for none.
  ///
  /// The kernel has released the source's descriptor by then, so the closure may close it. All
  /// handlers are dropped when it has returned.
  @preconcurrency
  public final func setCancelHandler(
    qos: WorkQueue.QoS = .unspecified,
    flags: WorkItem.Flags = [],
    handler: (@Sendable () -> Void)?
  ) {
    core.setCancelHandler(handler.map { SourceHandler(qos: qos, flags: flags, body: $0) })
  }

  /// Sets the work item that is performed once after the source was cancelled.
  public final func setCancelHandler(handler: WorkItem) {
    core.setCancelHandler(SourceHandler(handler))
  }

  /// Sets the closure that is called once when the source is registered with the kernel, before the
  /// first event.
  ///
  /// On a registered source it is called at once. It never follows a cancellation.
  @preconcurrency
  public final func setRegistrationHandler(
    qos: WorkQueue.QoS = .unspecified,
    flags: WorkItem.Flags = [],
    handler: (@Sendable () -> Void)?
  ) {
    core.setRegistrationHandler(handler.map { SourceHandler(qos: qos, flags: flags, body: $0) })
  }

  /// Sets the work item that is performed once when the source is registered.
  public final func setRegistrationHandler(handler: WorkItem) {
    core.setRegistrationHandler(SourceHandler(handler))
  }
}
