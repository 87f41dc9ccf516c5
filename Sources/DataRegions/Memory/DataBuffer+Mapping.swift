public import SystemCalls

extension DataBuffer {
  /// Shows a part of a file without reading it before its bytes are used.
  ///
  /// The part is mapped privately and read-only, in one region, and unmapped after its last use;
  /// the descriptor may be closed at once. Offsets need not be multiples of the page size. What
  /// lies behind the end of the file is left out, as a read would do, so that the buffer may have
  /// fewer bytes than the range; an empty file gives an empty buffer (S51).
  ///
  /// - Important: The bytes are the file's. Who writes to the file may change what the buffer
  ///   shows, and who makes it shorter lets the process die of `SIGBUS` when lost bytes are used.
  ///   Read files that others may change instead of mapping them.
  ///
  /// - Parameters:
  ///   - file: A regular file that is open for reading. One that states no length, as those of
  ///     `/proc` do, is empty here.
  ///   - range: The part in bytes from the start of the file, or all of it when `nil`.
  /// - Throws: `EINVAL` for a negative offset, `EISDIR` for a directory, `ENODEV` for anything else
  ///   but a regular file, `EACCES` for a descriptor that cannot be read, or what the kernel says.
  public init(mapping file: BorrowedDescriptor, range: Range<Int>? = nil) throws(Errno) {
    let status = try file.status()
    if status.kind == .directory { throw .isDirectory }
    if status.kind != .regular { throw .noSuchDevice }
    let size = Int(status.size)
    let wanted = range ?? 0..<size
    if wanted.lowerBound < 0 { throw .invalidArgument }
    let part = wanted.clamped(to: 0..<size)
    if part.isEmpty {
      self.init()
    } else {
      let owner = MappedBytes(try FileMapping(file, part))
      self.init(owner: owner, range: 0..<part.count)
    }
  }

  /// Shows a part of a file as `init(mapping:range:)` of a borrowed descriptor does.
  ///
  /// The descriptor stays open.
  public init(mapping file: borrowing FileDescriptor, range: Range<Int>? = nil) throws(Errno) {
    try self.init(mapping: file.borrowed, range: range)
  }
}
