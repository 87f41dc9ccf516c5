/// A closure of the program, with the quality of service that it was set with.
///
/// It is an object so that a source without handlers is small.
final class SourceHandler: Sendable {
  let qos: WorkQueue.QoS
  let flags: WorkItem.Flags
  let body: @Sendable () -> Void

  init(qos: WorkQueue.QoS, flags: WorkItem.Flags, body: @escaping @Sendable () -> Void) {
    self.qos = qos
    self.flags = flags
    self.body = body
  }

  convenience init(_ body: @escaping @Sendable () -> Void) {
    self.init(qos: .unspecified, flags: [], body: body)
  }

  convenience init(_ item: WorkItem) {
    self.init(qos: item.qos, flags: item.flags) { item.perform() }
  }
}

/// The handlers of a source.
struct SourceHandlers: Sendable {
  var event: SourceHandler?
  var cancel: SourceHandler?
  var registration: SourceHandler?
  /// The sequence that has the events, in place of the event handler.
  var demand: EventDemand?
  /// The source, if it has to exist until the handlers are dropped.
  var owner: EventSource?

  /// Whether events are delivered.
  var receiveEvents: Bool { event != nil || demand != nil }

  /// Whether a handler is called when the source is registered.
  var awaitRegistration: Bool { registration != nil || demand != nil }
}
