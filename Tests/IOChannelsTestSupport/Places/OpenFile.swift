internal import CIOChannelsTestSupport
package import IOChannelsSystem

/// Opens a file of a test; a new one gets mode 0644.
package func openFile(_ path: String, _ flags: OpenFlags = .readOnly) throws -> OwnedDescriptor {
  try BorrowedDescriptor.workingDirectory.open(BytePath(path), flags, permissions: 0o644)
}

/// How many pages of a file are in memory.
package func cachedPages(of file: BorrowedDescriptor) throws -> Int {
  let count = ct_cached_pages(file.rawValue)
  if count < 0 { throw TestFailure("the pages of a file cannot be counted, error \(-count)") }
  return Int(count)
}

/// Keeps a file in memory until this process ends, whatever others need memory for or drop.
package func holdPages(of file: BorrowedDescriptor) throws {
  let answer = ct_hold_pages(file.rawValue)
  if answer < 0 { throw TestFailure("a file cannot be held in memory, error \(-answer)") }
}

/// Listens on a socket of bytes that has a path.
package func listen(at path: String) throws -> OwnedDescriptor {
  let descriptor = Calls.listen(at: path)
  if descriptor < 0 { throw TestFailure("cannot listen at \(path)") }
  return OwnedDescriptor(owning: descriptor)
}

/// Calls a function while the calling thread has another user's rights on files; the process is the
/// superuser's.
package func asFileUser<Value, Failure: Error>(
  _ user: UInt32,
  _ body: () throws(Failure) -> Value
) throws(Failure) -> Value {
  ct_set_file_user(user)
  defer { ct_set_file_user(0) }
  return try body()
}
