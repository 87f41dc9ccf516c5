internal import CIOChannelsSystem

/// An entry of a directory.
package struct DirectoryEntry: Sendable {
  package var name: BytePath
  /// The kind of file, `.unknown` if the file system does not report it.
  package var kind: FileKind
  package var inode: UInt64

  package init(name: BytePath, kind: FileKind, inode: UInt64) {
    self.name = name
    self.kind = kind
    self.inode = inode
  }
}

/// A reader of directories, with a buffer of 64 KiB for about 2,000 names.
package struct DirectoryReader: ~Copyable, Sendable {
  private static let capacity = 64 << 10
  /// The buffer, empty until the first read. The copy of one file reads no directory.
  private var bytes: [UInt8] = []

  package init() {}

  /// Appends the next names of an open directory to `entries`, without `.` and `..`.
  ///
  /// - Returns: The directory's file position, nil if there are no more names.
  package mutating func read(
    _ directory: BorrowedDescriptor,
    into entries: inout [DirectoryEntry]
  ) throws(SystemError) -> Int64? {
    if bytes.isEmpty { bytes = [UInt8](repeating: 0, count: DirectoryReader.capacity) }
    var span = bytes.mutableSpan
    let count = try unsafe span.withUnsafeMutableBytes { buffer throws(SystemError) in
      try uninterrupted {
        unsafe csys_getdents(directory.rawValue, buffer.baseAddress, buffer.count)
      }
    }
    return unsafe bytes.withUnsafeBytes { buffer in
      unsafe DirectoryReader.parse(
        UnsafeRawBufferPointer(rebasing: buffer[..<count]),
        into: &entries
      )
    }
  }

  /// Parses the kernel's records: inode (8 bytes), position (8), length (2), type (1), name.
  private static func parse(
    _ records: UnsafeRawBufferPointer,
    into entries: inout [DirectoryEntry]
  ) -> Int64? {
    var position: Int64?
    var start = 0
    while start + 19 < records.count {
      let length = Int(unsafe records.loadUnaligned(fromByteOffset: start + 16, as: UInt16.self))
      guard length > 19, start + length <= records.count else { break }
      position = unsafe records.loadUnaligned(fromByteOffset: start + 8, as: Int64.self)
      let field = unsafe records[(start + 19)..<(start + length)]
      let end = unsafe field.firstIndex(of: 0) ?? field.endIndex
      let name = unsafe BytePath(copying: UnsafeRawBufferPointer(rebasing: field[..<end]))
      if !name.isDotOrDotDot {
        entries.append(
          DirectoryEntry(
            name: name,
            kind: FileKind(entryType: unsafe records[start + 18]),
            inode: unsafe records.loadUnaligned(fromByteOffset: start, as: UInt64.self)
          )
        )
      }
      start += length
    }
    return position
  }
}

extension BytePath {
  /// Creates a path from bytes that contain no zero.
  fileprivate init(copying bytes: UnsafeRawBufferPointer) {
    // An array of uninitialized memory would look up its type each time.
    var content: [UInt8] = []
    content.reserveCapacity(bytes.count + 1)
    unsafe content.append(contentsOf: bytes)
    content.append(0)
    self.init(terminated: content)
  }

  /// Whether the name is that of the directory itself or of its parent.
  fileprivate var isDotOrDotDot: Bool {
    let dot = UInt8(ascii: ".")
    if terminated[0] != dot { return false }
    return terminated.count == 2 || (terminated.count == 3 && terminated[1] == dot)
  }
}
