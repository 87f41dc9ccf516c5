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
      var length = 0
      while unsafe word[length] != 0 { length += 1 }
      let characters = unsafe UnsafeBufferPointer(start: word, count: length)
      words.append(BytePath(bytes: unsafe characters.map { UInt8(bitPattern: $0) }))
    }
    return words
  }
}
