import IOChannelsSystem

/// Which extended attributes are copied, as the system's list says.
struct AttributeRules: Sendable {
  /// The label of SELinux.
  static let securityContext: BytePath = "security.selinux"

  /// Patterns of names that are not copied as attributes: some come with the mode, some never.
  private var patterns: [[UInt8]]

  /// Reads the text of `/etc/xattr.conf`: lines of a pattern and of what to do with it.
  init(text: some Sequence<UInt8>) {
    patterns = [AccessList.access, AccessList.inherited].map { Array($0.bytes) }
    for line in Array(text).split(separator: UInt8(ascii: "\n")) {
      let rule = line.prefix { $0 != UInt8(ascii: "#") }
      let words = rule.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      // What the list says besides is one of two kinds of "not here".
      if words.count == 2, let pattern = words.first { patterns.append(Array(pattern)) }
    }
  }

  /// Whether an attribute is copied where `preserved` asks for attributes.
  func copies(_ name: BytePath, _ preserved: PreservedAttributes) -> Bool {
    let requested: PreservedAttributes =
      name == AttributeRules.securityContext ? .securityContext : .extendedAttributes
    return preserved.contains(requested)
      && !patterns.contains { AttributeRules.matches(name.bytes, $0[...]) }
  }

  /// Whether a name is one of a pattern's, in which a star stands for anything and a question mark
  /// for any byte.
  private static func matches(_ name: ArraySlice<UInt8>, _ pattern: ArraySlice<UInt8>) -> Bool {
    var (name, pattern) = (name, pattern)
    // Where to go on when the last star has to stand for more.
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
