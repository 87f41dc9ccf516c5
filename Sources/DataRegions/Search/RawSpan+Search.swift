extension RawSpan {
  /// The bytes as elements.
  var elements: Span<UInt8> {
    @_lifetime(copy self)
    get { Span(_bytes: self) }
  }

  /// Returns the last offset of `byte` before `end`, which is at most `byteCount`.
  func lastIndex(of byte: UInt8, before end: Int) -> Int? {
    let elements = elements
    var index = end
    while index > 0 {
      index -= 1
      if elements[index] == byte { return index }
    }
    return nil
  }
}
