import Testing

extension Optional<ExitTest.Result> {
  /// Whether the process said a sentence before it stopped.
  func says(_ sentence: String) -> Bool {
    guard let self else { return false }
    return String(decoding: self.standardErrorContent, as: UTF8.self).contains(sentence)
  }
}
