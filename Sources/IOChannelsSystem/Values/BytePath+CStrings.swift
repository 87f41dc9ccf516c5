private import CIOChannelsSystem

extension BytePath {
  /// The words of the program's command line, its name first.
  ///
  /// They are the bytes that the program got. `CommandLine.arguments` replaces invalid UTF-8.
  ///
  /// - Complexity: O(n) for n bytes
  public static var commandLineArguments: [BytePath] {
    var words: [BytePath] = []
    for index in 0..<csys_argument_count() {
      guard let word = unsafe csys_argument(index) else { break }
      words.append(unsafe BytePath(cString: word))
    }
    return words
  }

  /// Creates a path from the bytes of a C string, up to its zero byte.
  ///
  /// - Complexity: O(n) for n bytes
  public init(cString: UnsafePointer<CChar>) {
    var content: [UInt8] = []
    var next = unsafe cString
    while unsafe next.pointee != 0 {
      content.append(unsafe UInt8(truncatingIfNeeded: next.pointee))
      unsafe next += 1
    }
    self.init(terminated: content + [0])
  }
}
