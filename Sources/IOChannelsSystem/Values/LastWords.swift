internal import CIOChannelsSystem

/// Stops the program unless the caller keeps a rule, with a line that names the rule.
///
/// It takes the place of `precondition`, which says nothing in an optimised build (S45). The check
/// is a branch in the caller; the sentence is made only when it fails.
///
/// - Parameters:
///   - isKept: Whether the caller keeps the rule.
///   - sentence: The rule in words, as a sentence.
///   - rule: The rule's number.
@inlinable
@inline(__always)
package func requireUse(
  _ isKept: @autoclosure () -> Bool,
  _ sentence: @autoclosure () -> String,
  _ rule: String
) {
  if _fastPath(isKept()) { return }
  stop(saying: sentence(), rule)
}

/// Stops the program by a trap after a line on standard error, in an optimised build too.
///
/// The line is "Fatal error: SENTENCE (RULE)". It takes no memory of the heap, which may be what is
/// missing. A standard error that is closed or has lost its reader does not change how the program
/// ends.
@inline(never)
@usableFromInline
package func stop(saying sentence: String, _ rule: String? = nil) -> Never {
  var line = LastLine()
  line.add("Fatal error: ", upTo: 480)
  line.add(sentence, upTo: 480)
  if let rule {
    line.add(" (", upTo: 512)
    line.add(rule, upTo: 510)
    line.add(")", upTo: 511)
  }
  line.add("\n", upTo: 512)
  line.write()
  csys_trap()
}

/// A line of bounded length on the stack.
private struct LastLine {
  private var bytes = InlineArray<512, UInt8>(repeating: 0)
  private var count = 0

  /// Adds the bytes of a text until the line has so many.
  mutating func add(_ text: String, upTo limit: Int) {
    for byte in text.utf8 where count < limit {
      bytes[count] = byte
      count += 1
    }
  }

  /// Writes the line to standard error, as far as that can be written to.
  func write() {
    // The thread does not go on, so the signal of a lost reader may stay blocked with the others.
    csys_thread_set_mask(false)
    let errors = BorrowedDescriptor(rawValue: 2)
    let span = bytes.span
    var start = 0
    while start < count, let written = try? errors.write(span.extracting(start..<count)) {
      start += written
    }
  }
}
