internal import CIOChannelsSystem

/// Stops the program with a message that names the rule, if the caller breaks it.
///
/// It replaces `precondition`, which prints no message in an optimised build (S45). The check is a
/// branch in the caller. The message is created only on failure.
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

/// Prints a line to standard error and stops the program by a trap, also in an optimised build.
///
/// The line is "Fatal error: SENTENCE (RULE)". Inside a function of the C interface its name and a
/// colon stand before the sentence. The line needs no heap memory, which may be exhausted. If
/// standard error is closed or its reader is gone, the program still ends by the trap.
@inline(never)
@usableFromInline
package func stop(saying sentence: String, _ rule: String? = nil) -> Never {
  var line = LastLine()
  line.add("Fatal error: ", upTo: 480)
  line.addCallName(upTo: 480)
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

/// A line of limited length on the stack.
private struct LastLine {
  private var bytes = InlineArray<512, UInt8>(repeating: 0)
  private var count = 0

  /// Appends the bytes of a text, until the line has `limit` bytes.
  mutating func add(_ text: String, upTo limit: Int) {
    for byte in text.utf8 where count < limit {
      bytes[count] = byte
      count += 1
    }
  }

  /// Appends the name of the C function that the thread is in, and a colon; nothing without one.
  mutating func addCallName(upTo limit: Int) {
    var index: Int32 = 0
    while case let byte = csys_call_name_byte(index), byte != 0, count < limit {
      bytes[count] = byte
      count += 1
      index += 1
    }
    if index > 0 { add(": ", upTo: limit) }
  }

  /// Writes the line to standard error, and ignores errors.
  func write() {
    // The thread ends here, so `SIGPIPE` can stay blocked with the other signals.
    csys_thread_set_mask(false)
    let errors = BorrowedDescriptor(rawValue: 2)
    let span = bytes.span
    var start = 0
    while start < count, let written = try? errors.write(span.extracting(start..<count)) {
      start += written
    }
  }
}
