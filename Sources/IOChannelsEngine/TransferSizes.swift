/// The sizes of the transfers into which channels divide their operations.
package struct TransferSizes: Hashable, Sendable {
  /// The most bytes in one transfer.
  ///
  /// With 1 MiB, 256 MiB in the cache of ext4 take 16 ms, with 64 KiB 20 to 25.
  package var step: Int
  /// The most bytes of one read in the kernel and in handlers.
  package var window: Int
  /// The most bytes of a cached read on the caller's thread, 0 to disable it.
  ///
  /// With 16 in flight a read of 16 KiB takes 2.9 µs there and by the engine, one of 32 KiB 3.6 and
  /// 3.2. A read alone takes 3 to 5 µs there, and 55 by the engine.
  package var atOnce: Int
  /// The most bytes of a write to a pipe or socket, or of a read from an anonymous pipe, on the
  /// calling thread; 0 to disable both.
  package var peerAtOnce: Int

  /// Creates the default sizes; the simulator has smaller ones to get many small steps.
  package init(
    step: Int = 1 << 20,
    window: Int = 16 << 20,
    atOnce: Int = 16 << 10,
    peerAtOnce: Int = 64 << 10
  ) {
    self.step = step
    self.window = window
    self.atOnce = atOnce
    self.peerAtOnce = peerAtOnce
  }
}
