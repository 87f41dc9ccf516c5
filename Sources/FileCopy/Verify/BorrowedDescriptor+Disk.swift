import IOChannelsSystem

extension BorrowedDescriptor {
  /// The magic numbers of file systems without a disk: tmpfs and ramfs.
  private static let memoryFileSystems: [UInt32] = [0x0102_1994, 0x8584_58f6]

  /// Drops the pages of a file from the page cache, and makes its reads bypass the page cache.
  ///
  /// - Returns: Whether reads reach the disk.
  func readFromDisk() -> Bool {
    do throws(SystemError) {
      try advise(.dontNeed)
      let isInMemory = try BorrowedDescriptor.memoryFileSystems.contains(fileSystemMagic())
      if isInMemory { return false }
      try setStatusFlags(statusFlags().union(.direct))
      return true
    } catch {
      return false
    }
  }
}
