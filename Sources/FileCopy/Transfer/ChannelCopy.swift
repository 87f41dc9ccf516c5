import DataRegions
import IOChannels
import QueueRuntime
import IOChannelsEngine
import Synchronization
import IOChannelsSystem

/// A copy of one file with direct I/O, through a channel on each side.
///
/// The page cache reads nothing ahead of direct I/O, so several pieces are in flight at a time.
final class ChannelCopy: Sendable {
  private let source: IOChannel
  private let destination: IOChannel
  private let guess: Int64
  private let progress: FileProgress
  /// The queue of all handlers. It has its own threads, because every worker thread of the queues
  /// may be blocked (S38).
  private let queue = WorkQueue(label: "file copy", pool: .completions)
  /// The group of the channels that still use their descriptors.
  private let open: WorkGroup

  /// Creates the channels. The positions of both files must be at the start.
  init(_ files: borrowing FilePair) {
    let open = WorkGroup()
    self.open = open
    guess = files.status.size
    progress = files.progress
    source = ChannelCopy.channel(files.source, queue, open)
    destination = ChannelCopy.channel(files.destination, queue, open)
    // Each read delivers its piece at once, so that the piece is written by one operation.
    source.setLimit(lowWater: .max)
  }

  private static func channel(
    _ descriptor: BorrowedDescriptor,
    _ queue: WorkQueue,
    _ open: WorkGroup
  ) -> IOChannel {
    open.enter()
    return IOChannel(type: .random, fileDescriptor: descriptor.rawValue, queue: queue) { _ in
      open.leave()
    }
  }

  /// Calls a closure with a channel on each side, and then closes both channels.
  static func with<Value>(
    _ files: borrowing FilePair,
    _ body: (ChannelCopy) throws(DataFailure) -> Value
  ) throws(DataFailure) -> Value {
    let copy = ChannelCopy(files)
    defer { copy.close() }
    return try body(copy)
  }

  /// Copies the part of a range that lies before the end of the file, and waits for it.
  ///
  /// - Returns: The number of bytes in that part.
  func copy(_ range: Range<Int64>) throws(DataFailure) -> Int64 {
    let window = PieceWindow(range, guess: min(guess, range.upperBound))
    let run = Run(window, self)
    run.advance()
    return try run.wait()
  }

  /// Copies like ``copy(_:)``, in steps that the files allow, and with the waits that they demand.
  func copy(_ range: Range<Int64>, atPaceOf files: borrowing FilePair) throws(DataFailure) -> Int64
  {
    guard let step = files.step else { return try copy(range) }
    var position = range.lowerBound
    while position < range.upperBound {
      let length = min(step, range.upperBound - position)
      let count = try copy(position..<position + length)
      position += count
      try files.pace(count, to: position)
      if count < length { break }
    }
    return position - range.lowerBound
  }

  /// Waits until the channels no longer use the descriptors.
  func close() {
    source.close()
    destination.close()
    open.wait()
  }

  /// The copy of one range.
  private final class Run: Sendable {
    private let window: Mutex<PieceWindow>
    private let copy: ChannelCopy
    private let pending = WorkGroup()

    init(_ window: PieceWindow, _ copy: ChannelCopy) {
      self.window = Mutex(window)
      self.copy = copy
      pending.enter()
    }

    func wait() throws(DataFailure) -> Int64 {
      pending.wait()
      let (count, failure) = window.withLock { ($0.copiedCount, $0.failure) }
      if let failure { throw failure }
      return count
    }

    /// Starts the reads that the window permits. Leaves the group when the range is finished.
    func advance() {
      if copy.progress.isStopping { window.withLock { $0.stop() } }
      while let piece = window.withLock({ $0.begin() }) { read(piece) }
      if window.withLock({ $0.finish() }) { pending.leave() }
    }

    private func read(_ piece: Range<Int64>) {
      let start = piece.lowerBound
      let (source, queue) = (copy.source, copy.queue)
      source.read(offset: start, length: piece.count, queue: queue) { [self] isDone, data, error in
        if let data, !data.isEmpty { write(data, of: start) }
        guard isDone else { return }
        finish { $0.readEnded(of: start, DataFailure(side: .reading, number: error)) }
      }
    }

    private func write(_ data: DataBuffer, of start: Int64) {
      let offset = window.withLock { $0.received(data.count, of: start) }
      let (destination, queue) = (copy.destination, copy.queue)
      destination.write(offset: offset, data: data, queue: queue) { [self] isDone, _, error in
        guard isDone else { return }
        if error == 0 { copy.progress.count(bytes: Int64(data.count)) }
        finish { $0.writeEnded(of: start, DataFailure(side: .writing, number: error)) }
      }
    }

    /// Records the end of a read or write, and starts further reads.
    ///
    /// The queue of the copy runs its handlers one after another.
    private func finish(_ record: (inout PieceWindow) -> Void) {
      window.withLock { record(&$0) }
      advance()
    }
  }
}
