/// Ends the program because it cannot go on, with a line about it among its errors.
///
/// A failed precondition says nothing in an optimised build. What ends a program by no fault of its
/// own must say why there too.
package func stop(saying sentence: String) -> Never {
  let line = Array("Fatal error: \(sentence)\n".utf8)
  // Nobody is left to be told that the line could not be written.
  _ = try? BorrowedDescriptor(rawValue: 2).write(line, line.indices)
  preconditionFailure(sentence)
}
