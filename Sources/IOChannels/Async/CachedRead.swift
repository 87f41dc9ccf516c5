import DataRegions
import SystemCalls

/// Reads of what is in memory, made on the thread of the caller.
extension ChannelCore {
  /// Larger reads are worth the way to the ring.
  static let cachedReadLimit = 64 << 10

  /// Calls a function with the file of a random channel and a place in it, unless something of the
  /// descriptor has to be waited for.
  ///
  /// A cancelled task never gets past its cancellation this way (S158).
  ///
  /// - Returns: What the function returns; nil when the read has to go the usual way.
  func readCached<Result>(
    _ length: Int,
    at offset: Int64,
    _ body: (BorrowedDescriptor, Int64) throws(Errno) -> Result
  ) -> Result? {
    guard kind == .random, length > 0, length <= Self.cachedReadLimit,
      !Task.isCancelled,
      let file = entry.change({ state, _ in state.beginCachedRead(of: number) })
    else { return nil }
    defer { entry.change { state, actions in state.ended(on: .positioned, &actions) } }
    let (place, isOverflow) = file.base.addingReportingOverflow(offset)
    if isOverflow || place < 0 { return nil }
    // Whatever the error is, the usual way finds it again.
    return try? body(file.descriptor, place)
  }

  /// The bytes of a small read, when all of them are in memory.
  func cachedBytes(_ length: Int, _ extent: ReadExtent, at offset: Int64) -> DataBuffer? {
    let found = readCached(length, at: offset) { descriptor, place throws(Errno) in
      try DataBuffer(rawCapacity: length) { output throws(Errno) in
        _ = try descriptor.readCached(into: &output, at: place)
      }
    }
    // None are the end of the file; a part of them may be, or all that is in memory.
    guard let found, found.isEmpty || found.count == length || extent == .available else {
      return nil
    }
    return found
  }
}
