import DataRegions
import QueueRuntime
import RequestEngine
import SystemCalls

/// A read of what is in memory, made on the thread of the caller.
struct ReadAtOnce: Sendable {
  let channel: Int
  let length: Int
  /// Whether a handler gets the bytes, until whose return the channel is not over.
  let hasHandler: Bool
}

extension ChannelCore {
  /// Longer reads of tasks are worth the way to the ring.
  static let readAtOnceLimit = 64 << 10

  /// Reads what is in memory and has a handler called with it.
  ///
  /// - Returns: Whether it did; else the read has to go the usual way.
  func readAtOnce(
    offset: Int64,
    length: Int,
    queue: WorkQueue,
    handler: @escaping IOChannel.Handler
  ) -> Bool {
    let read = ReadAtOnce(channel: number, length: length, hasHandler: true)
    guard length <= engine.sizes.atOnce, kind == .random, account.takeNow(length) else {
      return false
    }
    let data = bytesAtOnce(read, .whole, at: offset) { data in
      queue.deliver { [self] in
        handler(true, data, nil)
        account.giveBack(length)
        entry.change { state, actions in state.handlerReturned(of: read, &actions) }
      }
    }
    if data == nil { account.giveBack(length) }
    return data != nil
  }

  /// The bytes of a small read for a task, when all of them are in memory.
  func bytesAtOnce(_ length: Int, _ extent: ReadExtent, at offset: Int64) -> DataBuffer? {
    bytesAtOnce(ReadAtOnce(channel: number, length: length, hasHandler: false), extent, at: offset)
  }

  private func bytesAtOnce(
    _ read: ReadAtOnce,
    _ extent: ReadExtent,
    at offset: Int64,
    deliver: (DataBuffer) -> Void = { _ in }
  ) -> DataBuffer? {
    makeAtOnce(read, at: offset, deliver: deliver) { descriptor, place throws(Errno) in
      let found = try DataBuffer(rawCapacity: read.length) { output throws(Errno) in
        _ = try engine.readCached(descriptor, into: &output, at: place)
      }
      #if MUTANTS
        if Mutant.partInMemoryTakenForWhole.isActive { return found }
      #endif
      // None are the end of the file; a part of them may be, or all that is in memory.
      return found.isEmpty || found.count == read.length || extent == .available ? found : nil
    }
  }

  /// Calls a function with the file of a random channel and a place in it, unless something of the
  /// descriptor has to be waited for.
  ///
  /// A cancelled task never gets past its cancellation this way (S158). What is found is delivered
  /// before a barrier that waits for the read may run.
  ///
  /// - Returns: What the function returns; nil when the read has to go the usual way.
  func makeAtOnce<Result>(
    _ read: ReadAtOnce,
    at offset: Int64,
    deliver: (Result) -> Void = { _ in },
    _ body: (BorrowedDescriptor, Int64) throws(Errno) -> Result?
  ) -> Result? {
    guard kind == .random, 1...Self.readAtOnceLimit ~= read.length, !Task.isCancelled,
      let file = entry.change({ state, _ in state.beginReadAtOnce(read) })
    else { return nil }
    var found: Result?
    defer {
      entry.change { state, actions in
        state.endedAtOnce(read, found: found != nil, &actions)
      }
    }
    let (place, isOverflow) = file.base.addingReportingOverflow(offset)
    if isOverflow || place < 0 { return nil }
    // Whatever the error is, the usual way finds it again.
    found = (try? body(file.descriptor, place)) ?? nil
    if let found { deliver(found) }
    return found
  }
}
