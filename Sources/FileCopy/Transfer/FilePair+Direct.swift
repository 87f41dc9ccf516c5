import DataRegions
import IOChannelsEngine
import IOChannelsSystem

extension BorrowedDescriptor {
  /// Whether the byte at an offset is in memory; false where the file system does not tell.
  func isInMemory(at offset: Int64) -> Bool {
    var count = 0
    _ = try? DataBuffer(rawCapacity: 1) { output throws(SystemError) in
      count = try readCached(into: &output, at: offset)
    }
    return count > 0
  }

  /// Whether a regular file seems not to be in memory, by its first, middle and last byte.
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

extension FilePair {
  /// Makes transfers of both files bypass the page cache (direct I/O).
  ///
  /// Never on FUSE, where a direct read may return other bytes than a buffered one.
  ///
  /// - Returns: False, with nothing changed, where one of the file systems does not support it.
  func bypassCache() -> Bool {
    if [source, destination].contains(where: { FileSystemKind(of: $0) == .fuse }) { return false }
    do throws(SystemError) {
      let flags = try source.statusFlags()
      try source.setStatusFlags(flags.union(.direct))
      do throws(SystemError) {
        try destination.setStatusFlags(destination.statusFlags().union(.direct))
        return true
      } catch {
        try source.setStatusFlags(flags)
        return false
      }
    } catch {
      return false
    }
  }
}
