import IOChannelsSystem

/// A line of a manifest: the checksum and the name of a file, in the format of `sha256sum`.
///
/// A backslash at the start of the line states that backslashes, newlines and carriage returns of
/// the name are escaped. So a name with any bytes is one line.
struct ManifestLine: Hashable {
  var digest: [UInt8]
  var name: BytePath

  private static let backslash = UInt8(ascii: "\\")
  private static let newline = UInt8(ascii: "\n")
  private static let blank = UInt8(ascii: " ")
  private static let digits = Array("0123456789abcdef".utf8)
  /// The letters that stand for escaped bytes.
  private static let escapes: [(byte: UInt8, letter: UInt8)] = [
    (backslash, backslash), (newline, UInt8(ascii: "n")), (UInt8(ascii: "\r"), UInt8(ascii: "r")),
  ]

  /// Creates the line of a file.
  init(digest: [UInt8], name: BytePath) {
    self.digest = digest
    self.name = name
  }

  /// The bytes of the line with a newline at the end.
  var bytes: [UInt8] {
    let isEscaped = name.bytes.contains { byte in
      ManifestLine.escapes.contains { $0.byte == byte }
    }
    var bytes: [UInt8] = isEscaped ? [ManifestLine.backslash] : []
    for byte in digest {
      bytes.append(ManifestLine.digits[Int(byte >> 4)])
      bytes.append(ManifestLine.digits[Int(byte & 15)])
    }
    bytes += [ManifestLine.blank, ManifestLine.blank]
    for byte in name.bytes {
      if let escape = ManifestLine.escapes.first(where: { $0.byte == byte }) {
        bytes += [ManifestLine.backslash, escape.letter]
      } else {
        bytes.append(byte)
      }
    }
    bytes.append(ManifestLine.newline)
    return bytes
  }

  /// Parses a line without its newline; nil if it is not valid.
  ///
  /// The second blank may be an asterisk, as other programs print it.
  init?(parsing line: ArraySlice<UInt8>) {
    var rest = line
    let isEscaped = rest.first == ManifestLine.backslash
    if isEscaped { rest.removeFirst() }
    let text = rest.prefix { $0 != ManifestLine.blank }
    guard let digest = ManifestLine.digest(text),
      ChecksumAlgorithm(byteCount: digest.count) != nil
    else { return nil }
    rest = rest.dropFirst(text.count + 1)
    guard let mark = rest.popFirst(), mark == ManifestLine.blank || mark == UInt8(ascii: "*"),
      !rest.isEmpty, !rest.contains(0),
      let name = isEscaped ? ManifestLine.unescaped(rest) : Array(rest)
    else { return nil }
    self.init(digest: digest, name: BytePath(bytes: name))
  }

  private static func digest(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    guard text.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    var half: UInt8?
    for character in text {
      guard let value = Character(Unicode.Scalar(character)).hexDigitValue else { return nil }
      if let high = half {
        bytes.append(high << 4 | UInt8(value))
        half = nil
      } else {
        half = UInt8(value)
      }
    }
    return bytes
  }

  /// Returns a name without its escapes; nil if an escape is not valid.
  private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var name: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      if byte != backslash {
        name.append(byte)
        continue
      }
      guard let letter = rest.popFirst(),
        let escape = escapes.first(where: { $0.letter == letter })
      else { return nil }
      name.append(escape.byte)
    }
    return name
  }

  /// The path of the file without dots and empty components; nil if it may lead out of the
  /// directory, or to the directory itself.
  var safePath: BytePath? {
    if name.isAbsolute { return nil }
    let parts = name.bytes.split(separator: UInt8(ascii: "/"))
      .filter { !$0.elementsEqual(".".utf8) }
    if parts.isEmpty || parts.contains(where: { $0.elementsEqual("..".utf8) }) { return nil }
    return BytePath(bytes: parts.joined(separator: [UInt8(ascii: "/")]))
  }
}
