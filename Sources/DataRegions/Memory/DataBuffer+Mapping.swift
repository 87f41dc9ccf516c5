public import IOChannelsSystem

extension DataBuffer {
  /// Maps a part of a file, which the kernel reads when its bytes are used.
  ///
  /// The part is mapped privately and read-only, in one region, and unmapped after its last use.
  /// The descriptor may be closed at once. Offsets need not be multiples of the page size. The
  /// range is cut at the end of the file, so the buffer may have fewer bytes than the range; an
  /// empty file gives an empty buffer.
  ///
  /// - Important: The bytes are the file's. A process that writes to the file may change the bytes
  ///   of the buffer. When a process truncates the file, the use of lost bytes raises `SIGBUS`.
  ///   Read files that others may change instead of mapping them.
  ///
  /// - Parameters:
  ///   - file: A regular file that is open for reading. A file that reports no length, such as
  ///     those of `/proc`, is empty here.
  ///   - range: The part in bytes from the start of the file, or the whole file when `nil`.
  /// - Throws: `EINVAL` for a negative offset, `EISDIR` for a directory, `ENODEV` for any other
  ///   file that is not regular, `EACCES` for a descriptor that cannot be read, or the error of the
  ///   kernel.
  public init(mapping file: BorrowedDescriptor, range: Range<Int>? = nil) throws(SystemError) {
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

  /// Maps a part of a file, like the initializer that takes a `BorrowedDescriptor`.
  ///
  /// The descriptor is not closed, but the buffer does not need it afterwards.
  public init(mapping file: borrowing OwnedDescriptor, range: Range<Int>? = nil) throws(SystemError)
  {
    try self.init(mapping: file.borrowed, range: range)
  }
}
