public import DataRegions
import SystemCalls

extension IOChannel {
  /// The lines of a range, without what ends them, read as they are walked.
  ///
  /// Lines are those of `DataBuffer.lines` (S54), in whatever pieces the bytes come.
  ///
  /// - Parameters:
  ///   - range: Offsets of a random channel; of a stream only the number of bytes counts.
  ///   - lengthLimit: The most bytes of a line; a longer one ends the walk with `EMSGSIZE`.
  /// - Returns: A sequence that reads as it is walked.
  /// - Precondition: The limit is at least 1.
  public func lines(
    in range: Range<Int64> = 0..<Int64.max,
    lengthLimit: Int = 1 << 20
  ) -> LineSequence {
    precondition(lengthLimit > 0, "A line may have a byte.")
    return LineSequence(regions: regions(in: range), lengthLimit: lengthLimit)
  }

  /// The lines of a channel, each in memory of the pieces that it was read in.
  ///
  /// Between two lines it holds at most one line of the limit and one piece.
  public struct LineSequence: AsyncSequence, Sendable {
    /// What a walk may throw.
    public typealias Failure = IOError
    /// A line, which may be empty.
    public typealias Element = DataBuffer

    let regions: RegionSequence
    let lengthLimit: Int

    /// Makes an iterator.
    public func makeAsyncIterator() -> Iterator {
      Iterator(
        channel: regions.channel,
        start: regions.range.lowerBound,
        regions: regions.makeAsyncIterator(),
        lengthLimit: lengthLimit
      )
    }

    /// Reads line after line.
    public struct Iterator: AsyncIteratorProtocol {
      /// Smaller pieces behind others are copied together.
      private static let smallPieceLimit = 4096

      let channel: IOChannel
      /// Where the next line begins.
      var start: Int64
      var regions: RegionSequence.Iterator
      let lengthLimit: Int
      /// What was read and is not yet walked.
      private var rest = DataBuffer.empty
      /// The bytes at the start of the rest that are known to have no end of a line.
      private var searched = 0
      private var hasEnded = false

      init(
        channel: IOChannel,
        start: Int64,
        regions: RegionSequence.Iterator,
        lengthLimit: Int
      ) {
        self.channel = channel
        self.start = start
        self.regions = regions
        self.lengthLimit = lengthLimit
      }

      /// The next line, or `nil` behind the last one.
      public mutating func next() async throws(IOError) -> DataBuffer? {
        try await next(isolation: #isolation)
      }

      /// The next line, or `nil` behind the last one.
      ///
      /// An error comes after the lines that were complete before it, and nothing comes after it:
      /// bytes of an unfinished line are dropped (S156).
      public mutating func next(
        isolation: isolated (any Actor)?
      ) async throws(IOError) -> DataBuffer? {
        while true {
          if let feed = rest.firstIndex(of: 0x0a, in: searched..<rest.count) {
            return try take(feed, skipping: 1)
          }
          searched = rest.count
          if rest.count - 1 > lengthLimit { throw lineIsTooLong() }
          if hasEnded { return rest.isEmpty ? nil : try take(rest.count, skipping: 0) }
          do throws(IOError) {
            let region = try await regions.next(isolation: isolation)
            if let region { add(region) } else { hasEnded = true }
          } catch {
            end()
            throw error
          }
        }
      }

      /// Adds a piece to what is not yet walked.
      private mutating func add(_ piece: DataBuffer) {
        if rest.isEmpty || piece.count >= Self.smallPieceLimit { return rest.append(piece) }
        // A region for every few bytes would cost many times their size.
        for region in piece.regions { rest.append(bytes: region.bytes) }
      }

      /// Cuts a line off the rest, and the byte that ends it.
      private mutating func take(_ count: Int, skipping: Int) throws(IOError) -> DataBuffer {
        let isReturned = skipping > 0 && count > 0 && rest[count - 1] == 0x0d
        let line = rest.subdata(in: 0..<(isReturned ? count - 1 : count))
        if line.count > lengthLimit { throw lineIsTooLong() }
        rest = rest.subdata(in: (count + skipping)..<rest.count)
        start += Int64(count + skipping)
        searched = 0
        return line
      }

      private mutating func lineIsTooLong() -> IOError {
        end()
        return channel.error(.read, at: start, .messageTooLong)
      }

      /// Forgets what is no line, so that it does not come as the last one.
      private mutating func end() {
        rest = .empty
        searched = 0
        hasEnded = true
      }
    }
  }
}
