/// How much of a file an operation of a channel moves at a time.
package struct TransferSizes: Hashable, Sendable {
  /// The most bytes of one transfer.
  package var step: Int
  /// The most bytes of one read that the kernel or handlers have.
  package var window: Int
  /// The most bytes of a read that is made on the caller's thread where they are in memory; 0 where
  /// none is.
  package var atOnce: Int
  /// The most bytes of a write to a pipe, socket or terminal that is tried on the thread that
  /// begins it; 0 where none is.
  package var writeAtOnce: Int

  /// Makes the sizes that programs get; the simulator has its own, to see many small steps.
  package init(
    step: Int = 1 << 20,
    window: Int = 16 << 20,
    atOnce: Int = 16 << 10,
    writeAtOnce: Int = 64 << 10
  ) {
    self.step = step
    self.window = window
    self.atOnce = atOnce
    self.writeAtOnce = writeAtOnce
  }
}
