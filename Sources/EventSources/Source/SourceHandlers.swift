/// A closure of the program, with the quality of service that it was set with.
struct SourceHandler: Sendable {
  let qos: WorkQueue.QoS
  let flags: WorkItem.Flags
  let body: @Sendable () -> Void

  init?(
    qos: WorkQueue.QoS,
    flags: WorkItem.Flags,
    body: (@Sendable () -> Void)?
  ) {
    guard let body else { return nil }
    self.qos = qos
    self.flags = flags
    self.body = body
  }

  init(_ body: @escaping @Sendable () -> Void) {
    qos = .unspecified
    flags = []
    self.body = body
  }

  init(_ item: WorkItem) {
    qos = item.qos
    flags = item.flags
    body = { item.perform() }
  }
}

/// The handlers of a source.
struct SourceHandlers: Sendable {
  var event: SourceHandler?
  var cancel: SourceHandler?
  var registration: SourceHandler?
}
