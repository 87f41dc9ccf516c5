import DataRegions
import IOChannelsEngine
import IOChannelsSystem

extension BorrowedDescriptor {
  /// Whether the byte at an offset is in the page cache; false if that is unknown.
  func isInMemory(at offset: Int64) -> Bool {
    var count = 0
    _ = try? DataBuffer(rawCapacity: 1) { output throws(SystemError) in
      count = try readCached(into: &output, at: offset)
    }
    return count > 0
  }

  /// Whether a regular file is probably not in the page cache.
  ///
  /// Its first, middle and last byte are checked.
  func isCold(_ status: FileStatus) -> Bool {
    guard status.kind == .regular, status.size > 0 else { return false }
    return ![0, status.size / 2, status.size - 1].contains { isInMemory(at: $0) }
  }
}

extension DirectRule {
  /// The shortest file that ``DirectRule/automatic`` copies with direct I/O.
  private static let largeLength: Int64 = 64 << 20

  /// Whether a source is copied with direct I/O, which bypasses the page cache.
  func appliesTo(_ source: BorrowedDescriptor, _ status: FileStatus) -> Bool {
    switch self {
    case .never: false
    case .always: true
    // Reading from the page cache is faster if it contains the file.
    case .automatic: status.size >= DirectRule.largeLength && source.isCold(status)
    }
  }
}
