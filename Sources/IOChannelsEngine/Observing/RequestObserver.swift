package import QueueRuntime
package import IOChannelsSystem

/// Is told what becomes of the requests of an engine, for metrics and logs.
///
/// Calls come from submitting threads and from threads of the engine, for different requests at the
/// same time, for one request in order. They must not block and must not use the engine. Without
/// an observer a request costs a look at a pointer more.
package protocol RequestObserver: AnyObject, Sendable {
  /// The engine was made and has chosen its backends.
  func chose(_ choice: BackendChoice)
  /// A request was taken and goes a way.
  func submitted(_ request: RequestSummary, to route: Route)
  /// The kernel did not take a request this time, and it is tried again.
  func retried(_ request: RequestSummary, after error: SystemError)
  /// The ring cannot do a request, and a plain call does it.
  func rerouted(_ request: RequestSummary)
  /// A request has ended; its owner is told next.
  func completed(_ request: RequestSummary, _ result: TransferResult)
}

/// What a request asks for, in a form that keeps nothing alive.
package struct RequestSummary: Hashable, Sendable, CustomStringConvertible {
  package var kind: Request.Kind
  /// The number of the descriptor.
  package var descriptor: Int32
  /// Where in the file, nil for the file position.
  package var offset: Int64?
  /// The bytes asked for, 0 for what moves none.
  package var length: Int
  /// How urgent it is.
  package var priority: WorkQueue.QoS.QoSClass

  init(_ request: Request) {
    kind = request.kind
    descriptor = request.descriptor.rawValue
    offset = request.offset
    length = request.length
    priority = request.priority
  }

  package var description: String {
    let bytes = length > 0 ? " of \(length) bytes" : ""
    let place = offset.map { " at \($0)" } ?? ""
    return "\(kind)\(bytes)\(place) on descriptor \(descriptor)"
  }
}
