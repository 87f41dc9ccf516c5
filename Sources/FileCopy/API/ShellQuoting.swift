/// The quoting of names in messages, as in the GNU tools, so that a shell reads the same bytes
/// back.
///
/// The result holds no control character, so that a name cannot control a terminal or forge a line.
public enum ShellQuoting: Sendable, Hashable {
  /// Printable characters outside ASCII are kept.
  case utf8
  /// Every byte outside ASCII is escaped.
  case ascii

  /// Returns the name in single quotes, or in double quotes if it holds a single quote.
  public func quote(_ path: BytePath) -> String {
    let pieces = pieces(of: path)
    if pieces.contains(.apostrophe), pieces.allSatisfy(\.standsInDoubleQuotes) {
      return "\"" + pieces.map(\.text).joined() + "\""
    }
    var quoted = "'"
    var isEscaping = false
    for piece in pieces {
      switch piece {
      case .escaped(let text):
        quoted += (isEscaping ? "" : "'$'") + text
        isEscaping = true
      case .apostrophe:
        quoted += "'\\''"
        isEscaping = false
      case .plain(let text, _):
        quoted += (isEscaping ? "''" : "") + text
        isEscaping = false
      }
    }
    return quoted + "'"
  }

  /// Returns the name unchanged if it is a plain word for a shell, otherwise in quotes.
  public func quoteIfNeeded(_ path: BytePath) -> String {
    let isPlain = path.bytes.allSatisfy { byte in
      switch Unicode.Scalar(byte) {
      case "a"..."z", "A"..."Z", "0"..."9", "%", "+", ",", "-", ".", "/", ":", "@", "_": true
      default: false
      }
    }
    return isPlain && !path.isEmpty ? path.description : quote(path)
  }

  private enum Piece: Equatable {
    case plain(String, standsInDoubleQuotes: Bool)
    case escaped(String)
    case apostrophe

    var text: String {
      switch self {
      case .plain(let text, _), .escaped(let text): text
      case .apostrophe: "'"
      }
    }

    var standsInDoubleQuotes: Bool {
      switch self {
      case .plain(_, let stands): stands
      case .escaped: false
      case .apostrophe: true
      }
    }
  }

  private func pieces(of path: BytePath) -> [Piece] {
    var pieces: [Piece] = []
    var rest = path.bytes
    while let byte = rest.first {
      let isFirst = rest.count == path.bytes.count
      if byte < 0x80 {
        pieces.append(ascii(byte, isFirst: isFirst, isAlone: path.bytes.count == 1))
        rest = rest.dropFirst()
      } else if self == .utf8, let scalar = printableScalar(at: rest) {
        pieces.append(.plain(String(scalar), standsInDoubleQuotes: true))
        rest = rest.dropFirst(UTF8.width(scalar))
      } else {
        let length = self == .utf8 ? lengthOfCharacter(at: rest) : 1
        pieces += rest.prefix(length).map { .escaped("\\" + octal($0)) }
        rest = rest.dropFirst(length)
      }
    }
    return pieces
  }

  private func ascii(_ byte: UInt8, isFirst: Bool, isAlone: Bool) -> Piece {
    let scalar = Unicode.Scalar(byte)
    switch scalar {
    case "'": return .apostrophe
    case "\u{7}": return .escaped("\\a")
    case "\u{8}": return .escaped("\\b")
    case "\t": return .escaped("\\t")
    case "\n": return .escaped("\\n")
    case "\u{b}": return .escaped("\\v")
    case "\u{c}": return .escaped("\\f")
    case "\r": return .escaped("\\r")
    case "\0"..<" ", "\u{7f}": return .escaped("\\" + octal(byte))
    default: break
    }
    let stands =
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9": true
      case "%", "+", ",", "-", ".", "/", ":", "=", "@", "]", "_", " ": true
      case "#", "~": isFirst
      case "{", "}": isAlone
      default: false
      }
    return .plain(String(scalar), standsInDoubleQuotes: stands)
  }

  /// Returns a byte as three octal digits.
  private func octal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 8)
    return String(repeating: "0", count: 3 - digits.count) + digits
  }

  private func printableScalar(at bytes: ArraySlice<UInt8>) -> Unicode.Scalar? {
    guard let scalar = scalar(at: bytes) else { return nil }
    switch scalar.properties.generalCategory {
    case .control, .surrogate, .unassigned, .lineSeparator, .paragraphSeparator: return nil
    default: return scalar
    }
  }

  /// Returns the length of an unprintable character in bytes; 1 for invalid UTF-8.
  private func lengthOfCharacter(at bytes: ArraySlice<UInt8>) -> Int {
    scalar(at: bytes).map { UTF8.width($0) } ?? 1
  }

  private func scalar(at bytes: ArraySlice<UInt8>) -> Unicode.Scalar? {
    var decoder = UTF8()
    var iterator = bytes.prefix(4).makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return nil }
    return scalar
  }
}
