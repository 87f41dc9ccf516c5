import IOChannelsEngine

/// How far a read may run ahead of its consumer.
struct ReadWindow: Hashable, Sendable {
  /// The most parts that are asked for and not yet used up.
  let parts: Int
  /// The most bytes in the kernel's hands or with handlers that have not returned.
  var bytes = TransferSizes().window

  /// How far the parts reach that are asked for and not yet used up: twice as much gained nothing
  /// (Benchmarks/Results/settings.md).
  private static let reach = 4 << 20

  /// For files: several parts are under way, which hides the latency of a device.
  static let ahead = ReadWindow(parts: 8)
  /// For pipes, sockets and terminals, whose bytes come in the order of the calls.
  static let inOrder = ReadWindow(parts: 1)

  /// Whether another part fits; one always may be under way, however much is held.
  func allows(_ capacity: Int, parts count: Int, held: Int) -> Bool {
    if count == 0 { return held < bytes || held == 0 }
    return count < parts && count * capacity < ReadWindow.reach && held + capacity <= bytes
  }
}
