internal import CIOChannelsSystem

/// One name of a directory.
package struct DirectoryEntry: Sendable {
  package var name: BytePath
  /// `.unknown` when the file system does not say.
  package var kind: FileKind
  package var inode: UInt64

  package init(name: BytePath, kind: FileKind, inode: UInt64) {
    self.name = name
    self.kind = kind
    self.inode = inode
  }
}

/// A buffer of 64 KiB through which directories are read, about 2,000 names at a time.
package struct DirectoryReader: ~Copyable, Sendable {
  private static let capacity = 64 << 10
  private var bytes = [UInt8](repeating: 0, count: capacity)

  package init() {}

  /// Appends the next names of an open directory to `entries`, without `.` and `..`.
  ///
  /// The answer is where the directory's file position is now, nil when all names were read.
  package mutating func read(
    _ directory: BorrowedDescriptor,
    into entries: inout [DirectoryEntry]
  ) throws(SystemError) -> Int64? {
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

  /// Takes records of the kernel apart: inode (8 bytes), position (8), length (2), type (1), name.
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
  /// Makes a path of bytes that are known to hold no zero.
  fileprivate init(copying bytes: UnsafeRawBufferPointer) {
    unsafe self.init(
      terminated: [UInt8](unsafeUninitializedCapacity: bytes.count + 1) { buffer, count in
        unsafe UnsafeMutableRawBufferPointer(buffer).copyMemory(from: bytes)
        unsafe buffer[bytes.count] = 0
        count = bytes.count + 1
      }
    )
  }

  /// Whether the name stands for the directory itself or the one around it.
  fileprivate var isDotOrDotDot: Bool {
    let dot = UInt8(ascii: ".")
    if terminated[0] != dot { return false }
    return terminated.count == 2 || (terminated.count == 3 && terminated[1] == dot)
  }
}
