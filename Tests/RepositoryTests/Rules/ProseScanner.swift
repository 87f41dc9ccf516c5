/// Parts Swift text into code on one side, comments and strings on the other.
///
/// Both keep every line and column: what belongs to the other side is a blank. An interpolation
/// counts as part of its string.
struct ProseScanner {
  private let text: [UInt8]
  private var position = 0
  private(set) var code: [UInt8] = []
  private(set) var prose: [UInt8] = []

  init(_ text: [UInt8]) {
    self.text = text
    code.reserveCapacity(text.count)
    prose.reserveCapacity(text.count)
  }

  mutating func scan() {
    while position < text.count {
      if starts("//") {
        while position < text.count, text[position] != UInt8(ascii: "\n") { take(asCode: false) }
      } else if starts("/*") {
        takeBlockComment()
      } else if let hashes = stringStart() {
        takeString(hashes: hashes)
      } else {
        take(asCode: true)
      }
    }
  }

  private func starts(_ wanted: StaticString, at offset: Int = 0) -> Bool {
    let bytes = Array("\(wanted)".utf8)
    let start = position + offset
    return start + bytes.count <= text.count
      && text[start] == bytes[0]
      && text[start..<(start + bytes.count)].elementsEqual(bytes)
  }

  private mutating func take(asCode isCode: Bool) {
    let byte = text[position]
    let blank = byte == UInt8(ascii: "\n") ? byte : UInt8(ascii: " ")
    code.append(isCode ? byte : blank)
    prose.append(isCode ? blank : byte)
    position += 1
  }

  private mutating func take(_ count: Int) {
    for _ in 0..<count where position < text.count { take(asCode: false) }
  }

  private mutating func takeBlockComment() {
    var depth = 0
    repeat {
      if starts("/*") {
        depth += 1
        take(2)
      } else if starts("*/") {
        depth -= 1
        take(2)
      } else {
        take(1)
      }
    } while depth > 0 && position < text.count
  }

  /// The number of `#` before a quote here, `nil` where no string starts.
  private func stringStart() -> Int? {
    guard text[position] == UInt8(ascii: "\"") || text[position] == UInt8(ascii: "#") else {
      return nil
    }
    var hashes = 0
    while position + hashes < text.count, text[position + hashes] == UInt8(ascii: "#") {
      hashes += 1
    }
    return starts("\"", at: hashes) ? hashes : nil
  }

  private func hashesFollow(_ count: Int, at offset: Int) -> Bool {
    let start = position + offset
    guard start + count <= text.count else { return false }
    return text[start..<(start + count)].allSatisfy { $0 == UInt8(ascii: "#") }
  }

  private mutating func takeString(hashes: Int) {
    let isLong = starts("\"\"\"", at: hashes)
    let quotes = isLong ? 3 : 1
    take(hashes + quotes)
    var depth = 0
    while position < text.count {
      if starts("\\"), hashesFollow(hashes, at: 1) {
        let opens = starts("(", at: 1 + hashes)
        take(2 + hashes)
        if opens { depth += 1 }
      } else if depth > 0, starts("\"") {
        takeString(hashes: 0)
      } else if depth > 0, starts("(") {
        depth += 1
        take(1)
      } else if depth > 0, starts(")") {
        depth -= 1
        take(1)
      } else if depth == 0, isLong ? starts("\"\"\"") : starts("\""),
        hashesFollow(hashes, at: quotes)
      {
        take(quotes + hashes)
        return
      } else {
        take(1)
      }
    }
  }
}
