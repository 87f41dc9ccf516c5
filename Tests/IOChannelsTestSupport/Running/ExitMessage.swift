public import Testing

/// Expects that the process of an exit test wrote a message to standard error.
///
/// Every exit test of a misuse ends with this check, because a process can also fail for another
/// reason:
///
///     let result = await #expect(
///       processExitsWith: .failure,
///       observing: [\.standardErrorContent]
///     ) {
///       _ = DataBuffer()[0]
///     }
///     expectMessage("The offset lies inside the buffer.", from: result)
public func expectMessage(
  _ message: String,
  from result: ExitTest.Result?,
  at place: SourceLocation = #_sourceLocation
) {
  let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  #expect(text.contains(message), "\(text)", sourceLocation: place)
}

/// Expects that the process of an exit test wrote nothing to standard error.
public func expectNoMessage(
  from result: ExitTest.Result?,
  at place: SourceLocation = #_sourceLocation
) {
  let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }
  #expect(text == "", sourceLocation: place)
}
