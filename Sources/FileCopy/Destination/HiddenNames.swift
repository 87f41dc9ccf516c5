import IOChannelsSystem

/// The temporary names of files that are not complete yet.
///
/// All of them have the same prefix and length, so that they differ from the names of users' files.
/// Each name identifies the process that writes the file, so that no running process loses its
/// file.
enum HiddenNames {
  private static let prefix = ".fastcp-"
  /// The numbers of digits for the host, the process, its start time and the file's number.
  private static let digits = [13, 7, 13, 13]
  private static let length = digits.reduce(prefix.utf8.count, +)

  /// Creates the name with a number.
  static func name(_ number: UInt64, of owner: ProcessIdentity) -> BytePath {
    let numbers = [owner.host, UInt64(owner.number), owner.start, number]
    let text = zip(numbers, digits).map { number, digits in
      let text = String(number, radix: 36)
      return String(repeating: "0", count: digits - text.count) + text
    }
    return BytePath(prefix + text.joined())
  }

  /// Whether a name has the form of a hidden one.
  static func contain(_ name: BytePath) -> Bool { owner(of: name) != nil }

  /// Returns the process that owns a hidden name; nil for any other name.
  static func owner(of name: BytePath) -> ProcessIdentity? {
    guard let parts = numbers(of: name), let process = UInt32(exactly: parts[1]) else {
      return nil
    }
    return ProcessIdentity(host: parts[0], number: process, start: parts[2])
  }

  /// Whether a name is hidden and its process has certainly ended, as seen by `observer`.
  ///
  /// A process of another boot of this machine has ended. As a second proof, its file must not have
  /// changed since this boot, because two machines may have the same number by mistake.
  static func isLeftover(
    _ name: BytePath,
    in directory: BorrowedDescriptor,
    seenBy observer: ProcessIdentity
  ) -> Bool {
    guard let process = owner(of: name) else { return false }
    if process.hasEnded(seenBy: observer) { return true }
    guard process.isOfAnotherBoot(than: observer),
      let found = try? directory.status(of: name)
    else { return false }
    let boot = KernelClock.wall.nanoseconds - KernelClock.bootTime.nanoseconds
    return PartialFile.isUnchanged(found, since: boot)
  }

  /// Returns the file's number in a hidden name; nil for any other name.
  static func number(of name: BytePath) -> UInt64? { numbers(of: name)?[3] }

  /// Returns the numbers of a hidden name, one for each group of digits.
  private static func numbers(of name: BytePath) -> [UInt64]? {
    let bytes = name.bytes
    guard bytes.count == length, bytes.starts(with: prefix.utf8) else { return nil }
    var rest = bytes.dropFirst(prefix.utf8.count)
    guard rest.allSatisfy(isDigit) else { return nil }
    var numbers: [UInt64] = []
    for count in digits {
      guard let number = UInt64(String(decoding: rest.prefix(count), as: UTF8.self), radix: 36)
      else { return nil }
      numbers.append(number)
      rest = rest.dropFirst(count)
    }
    return numbers
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
  }
}
