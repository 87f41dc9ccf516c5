import Testing

/// Expects that a process that ended by a misuse said why.
func check(
  _ result: ExitTest.Result?,
  says sentence: String,
  at place: SourceLocation = #_sourceLocation
) {
  let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  #expect(text.contains(sentence), "\(text)", sourceLocation: place)
}
