package import QueueRuntime
package import IOChannelsSystem

/// A receiver of events about the requests of an engine, for metrics and logs.
///
/// Calls come from submitting threads and from threads of the engine. Calls for different requests
/// may be concurrent; those for one request are in order. They must not block and must not use the
/// engine. Without an observer a request costs one more check of a pointer.
package protocol RequestObserver: AnyObject, Sendable {
  /// Reports that the engine was created and has chosen its backends.
  func chose(_ choice: BackendChoice)
  /// Reports that a request was accepted and where it is carried out.
  func submitted(_ request: RequestSummary, to route: Route)
  /// Reports that the kernel refused a request for now, and that it is retried.
  func retried(_ request: RequestSummary, after error: SystemError)
  /// Reports that the ring cannot carry out a request, and that a plain call does.
  func rerouted(_ request: RequestSummary)
  /// Reports that a request has ended, before its owner is notified.
  func completed(_ request: RequestSummary, _ result: TransferResult)
}

/// A description of a request that keeps no object alive.
package struct RequestSummary: Hashable, Sendable, CustomStringConvertible {
  package var kind: Request.Kind
  /// The number of the descriptor.
  package var descriptor: Int32
  /// The offset in the file, nil for the file position.
  package var offset: Int64?
  /// The requested number of bytes, 0 for a request that transfers none.
  package var length: Int
  /// The quality of service of the request.
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
