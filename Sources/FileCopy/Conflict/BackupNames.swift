import IOChannelsSystem

/// The names of the backups of a file.
struct BackupNames {
  let naming: BackupNaming
  /// The name of the file.
  let name: BytePath

  /// Whether the name depends on the other backups in the directory.
  var dependsOnOthers: Bool { naming.kind != .simple }

  /// The name with the suffix.
  var simple: BytePath { BytePath(bytes: name.bytes + naming.suffix.bytes) }

  /// Returns the name with a number.
  func numbered(_ number: Int) -> BytePath {
    BytePath(bytes: name.bytes + Array(".~\(number)~".utf8))
  }

  /// Returns the number of a backup of this file; nil for any other name.
  func number(of other: BytePath) -> Int? {
    let start = name.bytes + Array(".~".utf8)
    guard other.bytes.starts(with: start), other.bytes.last == UInt8(ascii: "~") else { return nil }
    let digits = other.bytes.dropFirst(start.count).dropLast()
    guard let first = digits.first, (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(first),
      digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    // The limit leaves room for higher numbers.
    return Int(String(decoding: digits, as: UTF8.self)).flatMap { $0 <= .max / 2 ? $0 : nil }
  }

  /// Returns the first number to try, or nil for the simple name; `highest` is the highest one in
  /// use.
  func nextNumber(highest: Int?) -> Int? {
    switch naming.kind {
    case .simple: nil
    case .numbered: (highest ?? 0) + 1
    case .existing: highest.map { $0 + 1 }
    }
  }
}

extension BackupNames {
  /// Returns the first number to try in a directory, or nil for the simple name.
  func nextNumber(in directory: BorrowedDescriptor) throws(SystemError) -> Int? {
    nextNumber(highest: dependsOnOthers ? try highestNumber(in: directory) : nil)
  }

  /// Returns the highest number of a backup in a directory; nil if there is none.
  private func highestNumber(in directory: BorrowedDescriptor) throws(SystemError) -> Int? {
    let listing = try directory.open(".", [.readOnly, .directory])
    var reader = DirectoryReader()
    var highest: Int?
    while true {
      var entries: [DirectoryEntry] = []
      let next = try reader.read(listing.borrowed, into: &entries)
      for entry in entries {
        if let number = number(of: entry.name) { highest = max(highest ?? 0, number) }
      }
      if next == nil { return highest }
    }
  }
}
