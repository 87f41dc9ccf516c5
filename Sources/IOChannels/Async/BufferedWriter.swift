public import DataRegions

/// A writer that collects the bytes of several calls in a buffer, and writes the buffer when it is
/// full.
///
/// `IOChannel.withBufferedWriter(at:capacity:_:)` creates a writer, and writes the rest at the end.
public struct BufferedWriter: ~Copyable {
  private let channel: IOChannel
  private let capacity: Int
  /// The offset at which the writer began.
  private let start: CallOffset
  /// The offset of the next step.
  private var offset: Int64
  /// The error after which no further step is written.
  private var failure: IOChannelError?
  /// The bytes not yet passed to the channel.
  private var collected = DataBuffer.empty
  /// The step that is being written.
  private var current: (transfer: TaskTransfer, offset: Int64, count: Int)?
  /// The number of bytes that the kernel has accepted; they may not be on the device yet.
  public private(set) var writtenCount: Int64 = 0

  /// Creates a writer, which `end()` or `discard()` has to end.
  init(channel: IOChannel, offset: Int64?, capacity: Int) {
    self.channel = channel
    let start = channel.core.beginCall(at: offset)
    self.start = start
    self.offset = start.value
    self.capacity = capacity
  }

  /// Adds the bytes of a buffer, which are shared, not copied.
  ///
  /// The call waits while one buffer is being written and the next one is full.
  ///
  /// - Throws: The error of the first write that failed, or `ECANCELED` in a cancelled task. Every
  ///   later call throws it again.
  public mutating func append(_ data: DataBuffer) async throws(IOChannelError) {
    try checkTask()
    collected.append(data)
    if collected.count >= capacity { try await step() }
  }

  /// Copies bytes and adds them.
  ///
  /// - Throws: The error of the first write that failed, or `ECANCELED` in a cancelled task. Every
  ///   later call throws it again.
  public mutating func append(_ bytes: RawSpan) async throws(IOChannelError) {
    try checkTask()
    collected.append(bytes: bytes)
    if collected.count >= capacity { try await step() }
  }

  /// Writes the bytes added so far, and waits until they are written.
  ///
  /// The bytes are then in the file, but may not be on the device: see
  /// `IOChannel.synchronize(dataOnly:)`. After a write that failed, nothing more is written
  /// (<doc:Rules#S156>).
  ///
  /// - Throws: The error of the first write that failed. Every later call throws it again.
  public mutating func flush() async throws(IOChannelError) {
    if !collected.isEmpty || current != nil { try checkTask() }
    if let failure { throw failure }
    if !collected.isEmpty { try await step() }
    try await finishStep()
  }

  /// Throws the error of an earlier call, and `ECANCELED` in a cancelled task (S158).
  mutating func checkTask() throws(IOChannelError) {
    do throws(IOChannelError) {
      if let failure { throw failure }
      try channel.checkTask(.write, at: offset)
    } catch {
      collected = .empty
      failure = error
      throw error
    }
  }

  /// Drops the bytes that are not in the file, and ends the writer after the running step.
  mutating func discard() async {
    collected = .empty
    if let (transfer, _, count) = current.take() {
      transfer.cancel()
      let outcome = await transfer.outcome()
      writtenCount += Int64(count - outcome.data.count)
    }
    end()
  }

  /// Ends the writer, which has written all bytes or dropped them.
  func end() {
    channel.core.endCall(at: start, moved: writtenCount)
  }

  /// Passes the collected bytes to the channel, after the end of the step before.
  private mutating func step() async throws(IOChannelError) {
    try await finishStep()
    let data = collected
    collected = .empty
    current = (channel.begin(data, at: offset), offset, data.count)
    let (next, isOverflow) = offset.addingReportingOverflow(Int64(data.count))
    // The step then fails, and no other follows it.
    offset = isOverflow ? .max : next
  }

  private mutating func finishStep() async throws(IOChannelError) {
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
