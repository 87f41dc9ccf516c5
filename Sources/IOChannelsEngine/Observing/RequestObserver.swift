package import IOChannelsSystem

/// A receiver of events about the requests of an engine, for tests and tools.
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
