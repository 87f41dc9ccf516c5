public import DataRegions
import QueueRuntime
import IOChannelsSystem

extension IOChannel {
  /// Returns the bytes of several ranges of a random channel, in the order in which they arrive.
  ///
  /// The reads run at the same time. At most 64 of them and 8 MiB are in flight or wait for the
  /// loop (<doc:Rules#S234>). Ranges may be in any order, overlap and be empty; each one is one
  /// element. This suits the columns of a table or the blocks of an index, where the order of the
  /// bytes does not matter. A stream has no offsets: the first step of its loop throws `ESPIPE`.
  ///
  /// - Parameters:
  ///   - ranges: Offsets, counted from the file position at creation.
  ///   - gapLimit: The most bytes between two ranges that one read covers; they are read and
  ///     dropped. The ranges of one read span at most 1 MiB. Their buffers share the memory of the
  ///     read.
  /// - Returns: A sequence that reads as it is iterated.
  /// - Precondition: The limit is not negative.
  public func chunks(
    of ranges: some Sequence<Range<Int64>>,
    gapLimit: Int = 4096
  ) -> RangeChunks {
    requireUse(gapLimit >= 0, "A limit is not negative.", "S173")
    let plan = RangePlan(
      Array(ranges),
      gapLimit: Int64(gapLimit),
      lengthLimit: Int64(core.step)
    )
    return RangeChunks(channel: self, plan: plan)
  }

  /// The bytes of one of several ranges.
  public struct RangeChunk: Sendable {
    /// The position of the range in the list that was passed.
    public let index: Int
    /// The range that was passed.
    public let range: Range<Int64>
    /// The bytes, fewer than the range has only if the file ends in it.
    public let data: DataBuffer
  }

  /// The bytes of several ranges, which are read during iteration.
  ///
  /// Every iteration reads all ranges.
  public struct RangeChunks: AsyncSequence, Sendable {
    /// The error of an iteration.
    public typealias Failure = IOChannelError
    /// The bytes of one range.
    public typealias Element = RangeChunk

    let channel: IOChannel
    let plan: RangePlan

    /// Returns an iterator.
    public func makeAsyncIterator() -> Iterator { Iterator(RangeReads(channel, plan)) }

    /// An iterator that reads several ranges at a time; copies share it.
    public struct Iterator: AsyncIteratorProtocol {
      /// The reads, which end early when the last copy of the iterator is dropped.
      private final class Owner: Sendable {
        let reads: RangeReads
        init(_ reads: RangeReads) { self.reads = reads }
        deinit { reads.cancel() }
      }

      private let owner: Owner
      /// The result whose ranges are being returned.
      private var current: RangeReads.Arrival?
      private var returned = 0

      init(_ reads: RangeReads) {
        owner = Owner(reads)
      }

      /// Returns the bytes of the next range that has arrived, or `nil` after the last one.
      public mutating func next() async throws(IOChannelError) -> RangeChunk? {
        try await next(isolation: #isolation)
      }

      /// Returns the bytes of the next range that has arrived, or `nil` after the last one.
      ///
      /// After an error the result is always `nil`. The error of a read ends the others early, and
      /// is thrown when the kernel has released the memory of all. A cancelled task gets
      /// `ECANCELED` while there are further ranges, even if their bytes have arrived.
      public mutating func next(
        isolation: isolated (any Actor)?
      ) async throws(IOChannelError) -> RangeChunk? {
        let reads = owner.reads
        if let reason = reads.refusal, let read = current?.read ?? reads.pending {
          throw await fail(RangeReads.Arrival(read: read, data: .empty, error: reason), reason)
        }
        if current == nil {
          guard let arrival = await reads.next() else { return nil }
          if let error = arrival.error { throw await fail(arrival, error) }
          current = arrival
          returned = 0
        }
        guard let arrival = current else { return nil }
        let chunk = reads.plan.chunk(returned, of: arrival)
        returned += 1
        if returned == reads.plan.reads[arrival.read].members.count { current = nil }
        return chunk
      }

      /// Waits for the end of the other reads.
      private mutating func fail(
        _ arrival: RangeReads.Arrival,
        _ reason: SystemError
      ) async -> IOChannelError {
        let reads = owner.reads
        current = nil
        await reads.end()
        let start = reads.plan.reads[arrival.read].range.lowerBound
        return reads.channel.error(.read, at: start, moved: arrival.data.count, reason)
      }
    }
  }
}

extension RangePlan {
  /// Returns one of the ranges of a read, with its part of the bytes.
  fileprivate func chunk(_ member: Int, of arrival: RangeReads.Arrival) -> IOChannel.RangeChunk {
    let read = reads[arrival.read]
    let range = ranges[read.members[member]]
    // The file may end before the range.
    let count = arrival.data.count
    func position(_ offset: Int64) -> Int {
      min(Int(clamping: UInt64(bitPattern: offset &- read.range.lowerBound)), count)
    }
    return IOChannel.RangeChunk(
      index: read.members[member],
      range: range,
      data: arrival.data.subdata(in: position(range.lowerBound)..<position(range.upperBound))
    )
  }
}
