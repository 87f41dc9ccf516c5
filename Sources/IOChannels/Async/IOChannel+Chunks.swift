public import DataRegions

extension IOChannel {
  /// Returns the bytes of a range as a sequence of chunks, in the order of the file or stream.
  ///
  /// Each iteration returns at most 1 MiB: the next bytes of a file, or those that have arrived in
  /// a pipe or socket. A stream is read only when the loop requests a chunk. On a random channel
  /// the next chunk is read while the loop works on the previous one. A slow loop slows the peer,
  /// and a loop that ends early loses no bytes of a stream (<doc:Rules#S151>).
  ///
  /// A stream counts the offsets of the range from its position at the start of the iteration. It
  /// discards the bytes before the range, and throws `EINVAL` if the range begins before 0
  /// (<doc:Rules#S227>).
  ///
  /// - Parameter range: Offsets of a random channel, counted from the file position at creation, or
  ///   of the bytes that a stream has left.
  /// - Returns: A sequence that reads as it is iterated.
  public func chunks(in range: Range<Int64> = 0..<Int64.max) -> Chunks {
    Chunks(channel: self, range: range)
  }

  /// Returns the bytes from an offset to the end as a sequence of chunks.
  ///
  /// All other properties are those of the form with a range that has an end.
  ///
  /// - Parameter range: The first offset of a random channel, counted from the file position at
  ///   creation, or the first of the bytes that a stream has left.
  /// - Returns: A sequence that reads as it is iterated.
  public func chunks(in range: PartialRangeFrom<Int64>) -> Chunks {
    chunks(in: range.lowerBound..<Int64.max)
  }

  /// Chunks of a channel's bytes, which are read during iteration.
  ///
  /// Every iteration of a random channel begins at the start of the range; that of a stream
  /// continues at the file position.
  public struct Chunks: AsyncSequence, Sendable {
    /// The error of an iteration.
    public typealias Failure = IOChannelError
    /// A chunk of at least one byte.
    public typealias Element = DataBuffer

    let channel: IOChannel
    let range: Range<Int64>

    /// Returns an iterator.
    public func makeAsyncIterator() -> Iterator { Iterator(channel: channel, rest: range) }

    /// An iterator that reads chunk after chunk; on a random channel a copy continues
    /// independently.
    public struct Iterator: AsyncIteratorProtocol {
      private var walk: ChunkWalk

      init(channel: IOChannel, rest: Range<Int64>) {
        walk = ChunkWalk(channel: channel, rest: rest)
      }

      /// Returns the next chunk, or `nil` at the end of the range or of the file.
      public mutating func next() async throws(IOChannelError) -> DataBuffer? {
        try await next(isolation: #isolation)
      }

      /// Returns the next chunk, or `nil` at the end of the range or of the file.
      ///
      /// After an error or the end the result is always `nil`. A cancelled task gets `ECANCELED`,
      /// even if the next bytes have arrived, when the kernel has released the memory.
      public mutating func next(
        isolation: isolated (any Actor)?
      ) async throws(IOChannelError) -> DataBuffer? {
        do throws(IOChannelError) {
          let piece = try await walk.next()
          if piece == nil { await walk.end() }
          return piece
        } catch {
          await walk.end()
          throw error
        }
      }
    }
  }
}
