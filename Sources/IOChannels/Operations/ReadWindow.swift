import IOChannelsEngine

/// The limits on the bytes that a read requests before its handlers have processed earlier ones.
struct ReadWindow: Hashable, Sendable {
  /// The most parts that are requested and not yet used up.
  let parts: Int
  /// The most bytes in requests and in handlers that have not returned.
  var bytes = TransferSizes().window

  /// The most bytes of all parts that are requested and not yet used up.
  ///
  /// Twice as many are not faster: 256 MiB in the cache of ext4 took 17 and 15 ms, from a disk 125
  /// and 134.
  private static let reach = 4 << 20

  /// The window of a file: several parts at a time, which hides the latency of a device.
  static let ahead = ReadWindow(parts: 8)
  /// The window of pipes, sockets and terminals, whose bytes arrive in the order of the calls.
  static let inOrder = ReadWindow(parts: 1)

  /// Returns whether another part fits.
  ///
  /// If no other part is requested, it fits unless handlers hold all bytes of the window.
  func allows(_ capacity: Int, parts count: Int, held: Int) -> Bool {
    if count == 0 { return held < bytes || held == 0 }
    return count < parts && count * capacity < ReadWindow.reach && held + capacity <= bytes
  }
}
