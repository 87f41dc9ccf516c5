import IOChannelsEngine

/// The parts that a read requests, in file order.
///
/// Parts are planned as if every transfer were full, so several can be in flight.
struct ReadPlan: Sendable {
  /// The state of the read, on which the next part depends.
  struct Progress {
    /// The number of parts that are requested and not yet used up.
    let parts: Int
    /// The bytes in requests and in handlers that have not returned.
    let held: Int
    /// The bytes that were read in order and not delivered.
    let undelivered: Int
  }

  /// The most bytes to read, `Int.max` for all.
  let length: Int
  /// The condition that ends the read.
  let extent: ReadExtent
  private(set) var window = ReadWindow.inOrder
  /// The expected end of the file.
  ///
  /// After it, one part at a time is requested: a small file does not cost a window of empty
  /// results.
  private var sizeHint = 0
  private var planned = 0
  /// The bytes that would be undelivered after the last planned part.
  private var plannedUndelivered = 0

  init(length: Int, extent: ReadExtent) {
    self.length = length
    self.extent = extent
  }

  /// Returns the window of a read at a place.
  func window(at place: TransferPlace, bytes: Int) -> ReadWindow {
    let traits = place.file.traits
    // On FUSE the kernel updates the length of a file with each short read and each inspection, and
    // concurrent reads find zeros between the two lengths.
    let mayRunAhead =
      traits.kind == .seekable && traits.fileSystem != .fuse && place.first != nil
      && extent != .available
    var window = mayRunAhead ? ReadWindow.ahead : .inOrder
    window.bytes = bytes
    return window
  }

  /// Sets the window and the size of the file, before the first part.
  mutating func expect(_ window: ReadWindow, sizeHint: Int, step: Int) {
    self.window = window
    self.sizeHint = length > step ? sizeHint : length
  }

  /// Plans the next part.
  ///
  /// - Returns: The bytes, counted from the operation's start; nil while the window is full or no
  ///   bytes are left.
  mutating func next(
    _ limits: DeliveryLimits,
    _ blocks: DirectBlocks?,
    after progress: Progress
  ) -> Range<Int>? {
    let isFirst = progress.parts == 0
    guard planned < length, planned < sizeHint || isFirst else { return nil }
    // After a short transfer the undelivered bytes are not those that were planned.
    if isFirst { plannedUndelivered = progress.undelivered }
    // The bytes before the part in its block need space in the same memory.
    let head = blocks?.head(at: planned) ?? 0
    let capacity = min(
      max(1, limits.step - head),
      limits.highWater - plannedUndelivered,
      length - planned
    )
    guard window.allows(capacity, parts: progress.parts, held: progress.held) else { return nil }
    defer { planned += capacity }
    plannedUndelivered += capacity
    if plannedUndelivered >= limits.lowWater { plannedUndelivered = 0 }
    return planned..<planned + capacity
  }
}
