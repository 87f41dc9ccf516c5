package import IOChannelsSystem

/// What carries requests out.
///
/// A backend ends every request exactly once, never inside `submit` or `cancel`, and keeps the
/// request until then.
package protocol Backend: AnyObject, Sendable {
  /// Takes a request. Never waits.
  func submit(_ request: Request)

  /// Asks for an early end of a request that was submitted.
  ///
  /// The request still ends once: with `ECANCELED`, or with its real result when that was faster or
  /// when the kernel cannot stop it.
  func cancel(_ request: Request)

  /// Reads at `offset` on the calling thread what a look into memory finds, as
  /// `BorrowedDescriptor.readCached` does.
  func readCached(
    _ descriptor: BorrowedDescriptor,
    into output: inout OutputRawSpan,
    at offset: Int64
  ) throws(SystemError) -> Int

  /// Writes on the calling thread what is taken without waiting: a number of bytes, nil for none.
  func writeAtOnce(_ request: Request) -> Int?
}

extension Backend {
  package func writeAtOnce(_ request: Request) -> Int? {
    // Whatever the error is, the usual way finds it again.
    guard case .success(let count) = request.call(waits: false), count > 0 else { return nil }
    return count
  }

  package func readCached(
    _ descriptor: BorrowedDescriptor,
    into output: inout OutputRawSpan,
    at offset: Int64
  ) throws(SystemError) -> Int {
    try descriptor.readCached(into: &output, at: offset)
  }
}
