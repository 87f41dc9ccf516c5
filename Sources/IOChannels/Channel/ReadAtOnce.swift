import DataRegions
import QueueRuntime
import IOChannelsEngine
import IOChannelsSystem

/// A read of bytes in the page cache, on the thread of the caller.
struct ReadAtOnce: Sendable {
  let channel: Int
  let length: Int
  /// Whether a handler receives the bytes; the channel stays in use until that returns.
  let hasHandler: Bool
}

/// The result of an attempt to read bytes from the page cache.
enum AttemptAtOnce: Sendable {
  /// The handler was submitted.
  case delivered
  /// The read has to become an operation, which makes the attempt when it has memory.
  case waitsForMemory
  /// The read has to become an operation that makes no attempt.
  case unsuitable
}

/// The file and offset of a read from the page cache.
struct CachedPlace {
  let descriptor: BorrowedDescriptor
  let offset: Int64
  /// The operation that reads; nil for a read that is no operation.
  var owner: (any RequestOwner)?
}

extension ChannelCore {
  /// The largest read of a task from the page cache; longer ones are faster on the ring.
  static let readAtOnceLimit = 64 << 10

  /// Reads bytes from the page cache and submits the handler with them.
  func readAtOnce(
    offset: Int64,
    length: Int,
    queue: WorkQueue,
    handler: @escaping IOChannel.Handler
  ) -> AttemptAtOnce {
    let read = ReadAtOnce(channel: number, length: length, hasHandler: true)
    guard kind == .random, length > 0, length <= engine.sizes.atOnce else { return .unsuitable }
    guard account.takeNow(length) else { return .waitsForMemory }
    let data = bytesAtOnce(read, .whole, at: offset) { data in
      // Many may wait for their handlers, so the closure captures little.
      queue.deliver { [self] in
        handler(true, data, 0)
        account.release(length)
        let read = ReadAtOnce(channel: number, length: length, hasHandler: true)
        if entry.changeOnly({ state in state.handlerReturnedAlone(of: read) }) { return }
        entry.change { state, actions in state.handlerReturned(of: read, &actions) }
      }
    }
    if data != nil { return .delivered }
    account.release(length)
    return .unsuitable
  }

  /// Returns the bytes of a small read for a task, when all of them are in the page cache.
  func bytesAtOnce(_ length: Int, _ extent: ReadExtent, at offset: Int64) -> DataBuffer? {
    bytesAtOnce(ReadAtOnce(channel: number, length: length, hasHandler: false), extent, at: offset)
  }

  /// Returns the bytes from an offset to the end of a small file for a task, when all of them are
  /// in the page cache.
  func allBytesAtOnce(from offset: Int64) -> DataBuffer? {
    guard kind == .random, let size = smallFileSize else { return nil }
    // One byte more shows that the file has grown.
    let read = ReadAtOnce(channel: number, length: size + 1, hasHandler: false)
    return makeAtOnce(read, at: offset) { place throws(SystemError) in
      guard let found = try cachedBytes(read.length, .available, at: place) else { return nil }
      if found.count == read.length { return nil }
      // The end, or the end of the cached part.
      let (end, isOverflow) = place.offset.addingReportingOverflow(Int64(found.count))
      if isOverflow { return nil }
      let rest = CachedPlace(descriptor: place.descriptor, offset: end)
      return try cachedBytes(1, .available, at: rest)?.isEmpty == true ? found : nil
    }
  }

  private func bytesAtOnce(
    _ read: ReadAtOnce,
    _ extent: ReadExtent,
    at offset: Int64,
    deliver: (DataBuffer) -> Void = { _ in }
  ) -> DataBuffer? {
    makeAtOnce(read, at: offset, deliver: deliver) { place throws(SystemError) in
      try cachedBytes(read.length, extent, at: place)
    }
  }

  /// Reads bytes that are in the page cache; the result is nil if some of them may not be there.
  func cachedBytes(
    _ length: Int,
    _ extent: ReadExtent,
    at place: CachedPlace
  ) throws(SystemError) -> DataBuffer? {
    let found = try DataBuffer(rawCapacity: length) { output throws(SystemError) in
      let (file, offset) = (place.descriptor, place.offset)
      _ = try engine.readCached(file, into: &output, at: offset, for: place.owner)
    }
    // No bytes mean the end of the file; fewer bytes may mean it, or end the cached part.
    return found.isEmpty || found.count == length || extent == .available ? found : nil
  }

  /// Calls a function with the file of a random channel and an offset in it, unless an operation of
  /// the descriptor has to be waited for.
  ///
  /// A cancelled task never passes its cancellation this way (S158). The bytes are delivered before
  /// a barrier that waits for the read may run.
  ///
  /// - Returns: The result of the function; nil when the read has to become an operation.
  func makeAtOnce<Result>(
    _ read: ReadAtOnce,
    at offset: Int64,
    deliver: (Result) -> Void = { _ in },
    _ body: (CachedPlace) throws(SystemError) -> Result?
  ) -> Result? {
    guard kind == .random, 1...Self.readAtOnceLimit ~= read.length, !CurrentTask.isCancelled,
      let file = entry.changeOnly({ state in state.beginReadAtOnce(read) })
    else { return nil }
    var found: Result?
    defer {
      let isFound = found != nil
      if !entry.changeOnly({ state in state.endedAtOnceAlone(read, found: isFound) }) {
        entry.change { state, actions in state.endedAtOnce(read, found: isFound, &actions) }
      }
    }
    guard let position = try? file.position(of: offset) else { return nil }
    // A request meets every error of a file again.
    found = try? body(CachedPlace(descriptor: file.descriptor, offset: position))
    if let found { deliver(found) }
    return found
  }

  /// Reads from a pipe on this thread, as far as that does not wait (S246).
  ///
  /// - Returns: The result; nil if the request has to be submitted.
  func readAtOnce(_ request: Request) -> TransferResult? {
    // A task that reads in a loop must not pass its cancellation.
    guard engine.mayReadAtOnce(request), !CurrentTask.isCancelled,
      entry.changeOnly({ state in state.mayLookIntoPipe() })
    else { return nil }
    let result = engine.readAtOnce(request)
    entry.changeOnly { state in state.searched(found: result != nil) }
    return result
  }
}
