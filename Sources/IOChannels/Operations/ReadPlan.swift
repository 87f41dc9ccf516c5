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
    /// The bytes that were read in order.
    let total: Int
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
  /// The fewest bytes of a part, unless fewer are left to be read.
  private var room = 1
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

  /// Sets the window and the properties of the file, before the first part.
  mutating func expect(_ window: ReadWindow, _ file: OpenFile, step: Int) {
    self.window = window
    sizeHint = length > step ? file.size : length
    room = min(file.traits.messageRoom, step)
  }

  /// Returns whether a part ends although it has room for `rest` bytes, because the kernel would
  /// drop the rest of a message there (S321).
  func ends(partWithRoomFor rest: Int, after total: Int) -> Bool {
    rest < min(room, length - total)
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
    // After a short transfer the bytes are not those that were planned.
    if isFirst { (planned, plannedUndelivered) = (progress.total, progress.undelivered) }
    guard planned < length, planned < sizeHint || isFirst else { return nil }
    // The bytes before the part in its block need space in the same memory.
    let head = blocks?.head(at: planned) ?? 0
    let capacity = min(
      max(1, limits.step - head),
      max(limits.highWater - plannedUndelivered, room),
      length - planned
    )
    guard window.allows(capacity, parts: progress.parts, held: progress.held) else { return nil }
    defer { planned += capacity }
    plannedUndelivered += capacity
    if plannedUndelivered >= limits.lowWater { plannedUndelivered = 0 }
    return planned..<planned + capacity
  }
}
