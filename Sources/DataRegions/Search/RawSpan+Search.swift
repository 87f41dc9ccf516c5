extension RawSpan {
  /// The bytes as elements.
  var elements: Span<UInt8> {
    @_lifetime(copy self)
    get { Span(_bytes: self) }
  }

  /// Where `byte` last occurs.
  func lastIndex(of byte: UInt8) -> Int? {
    let elements = elements
    var index = byteCount
    while index > 0 {
      index -= 1
      if elements[index] == byte { return index }
    }
    return nil
  }
}
