import FileCopy

/// A JSON object on one line. It is valid JSON even if names are not valid UTF-8.
struct JSONLine {
  private var body: String

  /// Creates an object with its type.
  init(type: String) {
    body = "\"type\":\"\(type)\""
  }

  /// The text of the object.
  var text: String { "{\(body)}" }

  /// Adds a number.
  mutating func add(_ key: String, _ number: Int) {
    body += ",\"\(key)\":\(number)"
  }

  /// Adds a number of seconds, with milliseconds.
  mutating func add(_ key: String, _ seconds: Double) {
    let thousandths = Int((min(max(seconds, 0), 1e12) * 1000).rounded())
    let rest = String(thousandths % 1000)
    let zeros = String(repeating: "0", count: 3 - rest.count)
    body += ",\"\(key)\":\(thousandths / 1000).\(zeros)\(rest)"
  }

  /// Adds a Boolean value.
  mutating func add(_ key: String, _ flag: Bool) {
    body += ",\"\(key)\":\(flag)"
  }

  /// Adds text.
  mutating func add(_ key: String, _ text: String) {
    body += ",\"\(key)\":\"\(JSONLine.escaped(text))\""
  }

  /// Adds a path.
  ///
  /// If it is not valid UTF-8, its bytes are added too, in hexadecimal, under the key with the
  /// suffix `_hex`.
  mutating func add(_ key: String, _ path: BytePath) {
    let text = path.description
    add(key, text)
    if text.utf8.elementsEqual(path.bytes) { return }
    let digits = path.bytes.map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    add(key + "_hex", digits.joined())
  }

  /// Adds an object of numbers.
  mutating func add(_ key: String, _ numbers: [(name: String, number: Int)]) {
    let pairs = numbers.map { "\"\($0.name)\":\($0.number)" }
    body += ",\"\(key)\":{\(pairs.joined(separator: ","))}"
  }

  /// Returns the text with quotes, backslashes and control characters escaped.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      case "\0"..<" ", "\u{7f}"..."\u{9f}", "\u{2028}", "\u{2029}":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
