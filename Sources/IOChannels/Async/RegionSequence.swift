public import DataRegions

extension IOChannel {
  /// The bytes of a range, in pieces as they come.
  ///
  /// Every turn of the loop asks for what is there: from files up to 1 MiB, from pipes and
  /// sockets what has arrived. Nothing is read that nobody asks for, but one piece ahead on a
  /// random channel: a slow loop slows the peer, and leaving the loop early loses no bytes of a
  /// stream (S151).
  ///
  /// - Parameter range: Offsets of a random channel; of a stream only the number of bytes counts.
  /// - Returns: A sequence that reads as it is walked.
  public func regions(in range: Range<Int64> = 0..<Int64.max) -> RegionSequence {
    RegionSequence(channel: self, range: range)
  }

  /// Pieces of a channel's bytes, read while they are walked.
  ///
  /// Every walk of a random channel begins at the start of the range; of a stream it goes on at the
  /// file position.
  public struct RegionSequence: AsyncSequence, Sendable {
    /// What a walk may throw.
    public typealias Failure = IOError
    /// A piece of at least one byte.
    public typealias Element = DataBuffer

    let channel: IOChannel
    let range: Range<Int64>

    /// Makes an iterator.
    public func makeAsyncIterator() -> Iterator { Iterator(channel: channel, rest: range) }

    /// Reads piece after piece; a copy goes on for itself on a random channel (S157).
    public struct Iterator: AsyncIteratorProtocol {
      private var walk: RegionWalk

      init(channel: IOChannel, rest: Range<Int64>) {
        walk = RegionWalk(channel: channel, rest: rest)
      }

      /// The next piece, or `nil` at the end of the range or of the file.
      public mutating func next() async throws(IOError) -> DataBuffer? {
        try await next(isolation: #isolation)
      }

      /// The next piece, or `nil` at the end of the range or of the file.
      ///
      /// After an error or the end there is nothing more. A cancelled task gets `ECANCELED` when
      /// the kernel has let go.
      public mutating func next(
        isolation: isolated (any Actor)?
      ) async throws(IOError) -> DataBuffer? {
        do throws(IOError) {
          let piece = try await walk.next()
          if piece == nil { walk.end() }
          return piece
        } catch {
          walk.end()
          throw error
        }
      }
    }
  }
}
