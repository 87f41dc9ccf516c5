/// An error for bytes that break the rules of their format.
public struct DataFormatError: Error, Hashable, Sendable {
  /// The kind of the error.
  public enum Reason: Sendable, CaseIterable {
    /// A byte is not a symbol of the base coding.
    case unknownSymbol
    /// An equal sign stands where no group of symbols can end.
    case misplacedPadding
    /// A symbol follows an equal sign.
    case symbolBehindPadding
    /// The last symbol has bits after the last byte that are not zero.
    case spareBits
    /// The bytes end inside a group of symbols or a character.
    case truncated
    /// Bytes are no UTF-8: overlong, a surrogate, beyond the last scalar, or out of place.
    case malformedUTF8
    /// Half of a surrogate pair stands alone.
    case unpairedSurrogate
    /// The byte order mark is that of the other byte order.
    case wrongByteOrder
    /// The library has no transform between the two formats.
    case unrelatedFormats
  }

  /// The kind of the error.
  public let reason: Reason

  /// The number of bytes before the wrong one, counted from the start of the first part.
  ///
  /// For a character of several bytes it is the offset of the first one. Where bytes are missing it
  /// is the number of all bytes for a base coding, and the start of the last character for text.
  public let offset: Int

  /// Creates an error.
  public init(_ reason: Reason, offset: Int) {
    self.reason = reason
    self.offset = offset
  }
}

extension DataFormatError: CustomStringConvertible {
  /// The reason and the offset as a sentence.
  public var description: String {
    "\(reason.description) at byte \(offset)"
  }
}

extension DataFormatError.Reason: CustomStringConvertible {
  /// The reason in words.
  public var description: String {
    switch self {
    case .unknownSymbol: "a byte that is no symbol of the coding"
    case .misplacedPadding: "an equal sign in a wrong place"
    case .symbolBehindPadding: "a symbol behind an equal sign"
    case .spareBits: "a last symbol with bits that belong to no byte"
    case .truncated: "an end in the middle"
    case .malformedUTF8: "malformed UTF-8"
    case .unpairedSurrogate: "half of a pair of surrogates"
    case .wrongByteOrder: "a mark of the other byte order"
    case .unrelatedFormats: "formats that no transform connects"
    }
  }
}
