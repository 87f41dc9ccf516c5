public import DataRegions

/// Collects small pieces and writes them in larger steps, one after the other.
///
/// It is made by `IOChannel.withBufferedWriter(at:capacity:_:)`, which also writes the rest.
public struct BufferedWriter: ~Copyable {
  private let channel: IOChannel
  private let capacity: Int
  /// Where the next step begins.
  private var offset: Int64
  /// Why nothing is written any more.
  private var failure: IOError?
  /// What is not yet handed to the channel.
  private var collected = DataBuffer.empty
  /// The step that is being written.
  private var current: (transfer: TaskTransfer, offset: Int64, count: Int)?
  /// The bytes that are in the file for sure.
  public private(set) var writtenCount: Int64 = 0

  init(channel: IOChannel, offset: Int64, capacity: Int) {
    self.channel = channel
    self.offset = offset
    self.capacity = capacity
  }

  /// Adds the bytes of a buffer, which are shared, not copied.
  ///
  /// It waits while a step is being written and another one is full.
  ///
  /// - Throws: The error of an earlier step, again and again (S156).
  public mutating func append(_ data: DataBuffer) async throws(IOError) {
    if let failure { throw failure }
    collected.append(data)
    if collected.count >= capacity { try await step() }
  }

  /// Copies bytes and adds them; small pieces share memory.
  ///
  /// - Throws: The error of an earlier step, again and again (S156).
  public mutating func append(_ bytes: RawSpan) async throws(IOError) {
    if let failure { throw failure }
    collected.append(bytes: bytes)
    if collected.count >= capacity { try await step() }
  }

  /// Writes what was added so far, and waits for the end of it.
  ///
  /// The bytes are in the file then, not yet on the disk: `IOChannel.synchronize(dataOnly:)`.
  ///
  /// - Throws: The first error of a step, again and again: nothing is written behind the gap
  ///   (S156).
  public mutating func flush() async throws(IOError) {
    if let failure { throw failure }
    if !collected.isEmpty { try await step() }
    try await finishStep()
  }

  /// Drops what is not yet in the file, and waits until nothing is under way.
  mutating func discard() async {
    collected = .empty
    guard let (transfer, _, _) = current.take() else { return }
    transfer.cancel()
    _ = await transfer.outcome()
  }

  /// Hands what was collected to the channel, after the end of the step before.
  private mutating func step() async throws(IOError) {
    try await finishStep()
    let data = collected
    collected = .empty
    current = (channel.begin(data, at: offset), offset, data.count)
    let (next, isOverflow) = offset.addingReportingOverflow(Int64(data.count))
    // The step fails then, and none comes after it.
    offset = isOverflow ? .max : next
  }

  private mutating func finishStep() async throws(IOError) {
    guard let (transfer, start, count) = current else { return }
    let outcome = await transfer.outcome()
    current = nil
    writtenCount += Int64(count - outcome.data.count)
    guard let reason = outcome.error else { return }
    collected = .empty
    let error = channel.error(.write, at: start, moved: count - outcome.data.count, reason)
    failure = error
    throw error
  }
}
