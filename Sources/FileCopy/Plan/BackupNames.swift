import IOChannelsSystem

/// The names that backups of a file get.
struct BackupNames {
  let naming: BackupNaming
  /// The file's own name.
  let name: BytePath

  /// Whether the other names in the directory have to be known.
  var dependsOnOthers: Bool { naming.kind != .simple }

  /// The simple name.
  var simple: BytePath { BytePath(bytes: name.bytes + naming.suffix.bytes) }

  /// The name with a number.
  func numbered(_ number: Int) -> BytePath {
    BytePath(bytes: name.bytes + Array(".~\(number)~".utf8))
  }

  /// The number that a name has as a backup of this file, nil when it is none.
  func number(of other: BytePath) -> Int? {
    let start = name.bytes + Array(".~".utf8)
    guard other.bytes.starts(with: start), other.bytes.last == UInt8(ascii: "~") else { return nil }
    let digits = other.bytes.dropFirst(start.count).dropLast()
    guard let first = digits.first, (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(first),
      digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    // There is room for higher numbers.
    return Int(String(decoding: digits, as: UTF8.self)).flatMap { $0 <= .max / 2 ? $0 : nil }
  }

  /// The first number to try, nil for the simple name; `highest` is the highest one in use.
  func nextNumber(highest: Int?) -> Int? {
    switch naming.kind {
    case .simple: nil
    case .numbered: (highest ?? 0) + 1
    case .existing: highest.map { $0 + 1 }
    }
  }
}
