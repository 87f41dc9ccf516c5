package import IOChannelsSystem

/// An executor of requests.
///
/// A backend ends every request exactly once, never inside `submit` or `cancel`, and keeps the
/// request until then.
package protocol Backend: AnyObject, Sendable {
  /// Accepts a request without blocking.
  func submit(_ request: Request)

  /// Requests the cancellation of a submitted request.
  ///
  /// The request still ends once. It ends with `ECANCELED`, or with its real result if that came
  /// first or if the kernel cannot stop it.
  func cancel(_ request: Request)

  /// Reads cached bytes at `offset` on the calling thread, like `BorrowedDescriptor.readCached`.
  ///
  /// `owner` is the operation that reads; nil for a read that is no operation.
  func readCached(
    _ descriptor: BorrowedDescriptor,
    into output: inout OutputRawSpan,
    at offset: Int64,
    for owner: (any RequestOwner)?
  ) throws(SystemError) -> Int

  /// Writes on the calling thread as much as possible without blocking.
  ///
  /// - Returns: The result of the request; nil if it has to be submitted.
  func writeAtOnce(_ request: Request) -> TransferResult?

  /// Reads on the calling thread at most `limit` bytes of an anonymous pipe, without blocking.
  ///
  /// - Returns: The result of the request; nil if it has to be submitted.
  func readAtOnce(_ request: Request, limit: Int) -> TransferResult?

  /// Whether files are opened and closed on the calling thread, where neither waits.
  var opensAtOnce: Bool { get }
}

extension Backend {
  package var opensAtOnce: Bool { false }

  package func writeAtOnce(_ request: Request) -> TransferResult? {
    request.call(waits: false).unlessWaiting
  }

  package func readAtOnce(_ request: Request, limit: Int) -> TransferResult? {
    request.readAtOnce(limit: limit).unlessWaiting
  }

  package func readCached(
    _ descriptor: BorrowedDescriptor,
    into output: inout OutputRawSpan,
    at offset: Int64,
    for owner: (any RequestOwner)?
  ) throws(SystemError) -> Int {
    try descriptor.readCached(into: &output, at: offset)
  }
}

extension TransferResult {
  /// The result of a call that must not wait; nil if nothing was transferred because it would.
  ///
  /// Every other error is an answer. The kernel reports some only once, such as the reset of a
  /// connection.
  fileprivate var unlessWaiting: TransferResult? {
    switch self {
    case .failure(.resourceTemporarilyUnavailable), .failure(.interrupted),
      .failure(.notSupported):
      nil
    default: self
    }
  }
}
