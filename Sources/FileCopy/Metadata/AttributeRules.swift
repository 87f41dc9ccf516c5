import IOChannelsSystem

/// The rules about the extended attributes that are copied, from the system's list.
struct AttributeRules: Sendable {
  /// The label of SELinux.
  static let securityContext: BytePath = "security.selinux"

  /// Patterns of names that are not copied as attributes, but with the mode or not at all.
  private var patterns: [[UInt8]]

  /// Reads the system's list, if attributes are copied.
  static func ofSystem(for options: CopyOptions) -> AttributeRules {
    var text = [UInt8](repeating: 0, count: 64 << 10)
    guard options.metadata.preserved.contains(.extendedAttributes),
      let file = try? BorrowedDescriptor.workingDirectory.open("/etc/xattr.conf", []),
      let count = try? file.borrowed.read(into: &text)
    else { return AttributeRules(text: []) }
    return AttributeRules(text: text.prefix(count))
  }

  /// Parses the text of `/etc/xattr.conf`: lines with a pattern and an action.
  init(text: some Sequence<UInt8>) {
    patterns = [AccessList.access, AccessList.inherited].map { Array($0.bytes) }
    for line in Array(text).split(separator: UInt8(ascii: "\n")) {
      let rule = line.prefix { $0 != UInt8(ascii: "#") }
      let words = rule.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      // Both actions of the list mean that the attribute is not copied.
      if words.count == 2, let pattern = words.first { patterns.append(Array(pattern)) }
    }
  }

  /// Whether an attribute is copied, if `preserved` requests its kind.
  func copies(_ name: BytePath, _ preserved: PreservedAttributes) -> Bool {
    let requested: PreservedAttributes =
      name == AttributeRules.securityContext ? .securityContext : .extendedAttributes
    return preserved.contains(requested)
      && !patterns.contains { AttributeRules.matches(name.bytes, $0[...]) }
  }

  /// Whether a name matches a pattern, in which a star matches any bytes and a question mark one
  /// byte.
  private static func matches(_ name: ArraySlice<UInt8>, _ pattern: ArraySlice<UInt8>) -> Bool {
    var (name, pattern) = (name, pattern)
    // The place to continue at if the last star must match more.
    var retry: (name: ArraySlice<UInt8>, pattern: ArraySlice<UInt8>)?
    while !name.isEmpty {
      if pattern.first == UInt8(ascii: "*") {
        pattern.removeFirst()
        retry = (name, pattern)
      } else if let next = pattern.first, next == UInt8(ascii: "?") || next == name.first {
        pattern.removeFirst()
        name.removeFirst()
      } else if let star = retry {
        name = star.name.dropFirst()
        pattern = star.pattern
        retry = (name, pattern)
      } else {
        return false
      }
    }
    return pattern.allSatisfy { $0 == UInt8(ascii: "*") }
  }
}
