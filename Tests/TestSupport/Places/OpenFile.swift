package import SystemCalls

/// Opens a file of a test; a new one gets mode 0644.
package func openFile(_ path: String, _ flags: OpenFlags = .readOnly) throws -> FileDescriptor {
  try BorrowedDescriptor.workingDirectory.open(FilePath(path), flags, permissions: 0o644)
}
