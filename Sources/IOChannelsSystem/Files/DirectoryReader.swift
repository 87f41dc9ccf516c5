internal import CIOChannelsSystem

/// An entry of a directory.
package struct DirectoryEntry: Sendable {
  /// Bytes that contain the name and its terminating zero.
  ///
  /// The entries of one read share them, so that no name takes memory of its own before its use.
  private let bytes: [UInt8]
  private let place: Range<Int>
  /// The kind of file, `.unknown` if the file system does not report it.
  package var kind: FileKind
  package let inode: UInt64

  package init(name: BytePath, kind: FileKind, inode: UInt64) {
    self.init(name.terminated, 0..<name.terminated.count, kind, inode)
  }

  fileprivate init(_ bytes: [UInt8], _ place: Range<Int>, _ kind: FileKind, _ inode: UInt64) {
    self.bytes = bytes
    self.place = place
    self.kind = kind
    self.inode = inode
  }

  /// The name, which is created by each call.
  package var name: BytePath { BytePath(terminated: [UInt8](bytes[place])) }

  /// Makes a path the name, in the memory of the path if no other one shares that.
  package func copyName(to path: inout BytePath) {
    path.terminated.removeAll(keepingCapacity: true)
    // A slice of the array would retain it.
    unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe path.terminated.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[place]))
    }
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
    return DirectoryReader.parse([UInt8](bytes[..<count]), into: &entries)
  }

  /// Parses the kernel's records: inode (8 bytes), position (8), length (2), type (1), name.
  private static func parse(
    _ bytes: [UInt8],
    into entries: inout [DirectoryEntry]
  ) -> Int64? {
    unsafe bytes.withUnsafeBytes { records in
      var position: Int64?
      var start = 0
      while start + 19 < records.count {
        let length = Int(unsafe records.loadUnaligned(fromByteOffset: start + 16, as: UInt16.self))
        let name = start + 19
        guard name < start + length, start + length <= records.count else { break }
        position = unsafe records.loadUnaligned(fromByteOffset: start + 8, as: Int64.self)
        var end = name
        while end < start + length - 1, unsafe records[end] != 0 { end += 1 }
        // The names of the directory itself and of its parent are dots.
        let dot = UInt8(ascii: ".")
        let (first, last) = unsafe (records[name], records[max(end - 1, name)])
        if first != dot || last != dot || end - name > 2 {
          let kind = FileKind(entryType: unsafe records[start + 18])
          let inode = unsafe records.loadUnaligned(fromByteOffset: start, as: UInt64.self)
          entries.append(DirectoryEntry(bytes, name..<(end + 1), kind, inode))
        }
        start += length
      }
      return position
    }
  }
}
