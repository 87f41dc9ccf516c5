public import DataRegions
import IOChannelsSystem
import QueueRuntime

extension ChannelReader {
  /// The lines that the reader has not returned yet, as bytes.
  ///
  /// Every loop continues where the calls before it stopped, and leaves the reader after the last
  /// line that it returned. Most lines are returned without a lock and without a suspension. An
  /// error ends the loop (<doc:Rules#S156>), but not the reader.
  public var lines: Elements<DataBuffer> {
    Elements(reader: self, chunkLimit: nil) { $0 }
  }

  /// The lines that the reader has not returned yet, as strings.
  ///
  /// Bytes that are not valid UTF-8 are replaced by U+FFFD (�); ``lines`` returns them unchanged.
  /// All other properties are those of ``lines``.
  public var stringLines: Elements<String> {
    Elements(reader: self, chunkLimit: nil) { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the bytes that the reader has not returned yet as chunks.
  ///
  /// The reader reads as many bytes at a time as the channel delivers, up to 1 MiB, and on random
  /// channels reads ahead. So small chunks need few system calls. A loop that ends early leaves the
  /// rest in the reader. An error ends the loop (<doc:Rules#S156>), but not the reader.
  ///
  /// - Parameter limit: The largest number of bytes of a chunk, at least 1.
  /// - Returns: A sequence of chunks, each of at least one byte, which reads as it is iterated.
  /// - Precondition: The limit is at least 1.
  public func chunks(upTo limit: Int) -> Elements<DataBuffer> {
    requireUse(limit > 0, "A read of what is there has room for a byte.", "S173")
    return Elements(reader: self, chunkLimit: limit) { $0 }
  }

  /// The bytes that the reader has not returned yet, one by one.
  ///
  /// Most bytes are returned without a lock and without a system call. A loop over the bytes of
  /// ``chunks(upTo:)`` is faster still. A loop that ends early leaves the bytes that it has not
  /// returned in the reader (<doc:Rules#S224>). An error ends the loop, but not the reader.
  public var bytes: Bytes { Bytes(reader: self) }

  /// Lines or chunks that a reader has not returned yet.
  public struct Elements<Element: Sendable>: AsyncSequence, Sendable {
    /// The error of a loop.
    public typealias Failure = IOChannelError

    let reader: ChannelReader
    /// The largest number of bytes of a chunk; nil for lines.
    let chunkLimit: Int?
    @usableFromInline let makeElement: @Sendable (consuming DataBuffer) -> Element

    /// Returns an iterator that takes elements from the reader.
    public func makeAsyncIterator() -> Iterator { Iterator(elements: self) }

    /// An iterator over the lines or chunks of a reader.
    ///
    /// Copies of an iterator share the reader: each element is returned by only one of them.
    public struct Iterator: AsyncIteratorProtocol {
      @usableFromInline let elements: Elements
      /// The position in the lines that are in memory, if there are any.
      @usableFromInline var cursor: RegionCursor?
      private var hasEnded = false

      init(elements: Elements) {
        self.elements = elements
      }

      /// Takes the next element; `nil` after the last one and after an error.
      @inlinable
      public mutating func next() async throws(IOChannelError) -> Element? {
        try await next(isolation: #isolation)
      }

      /// Takes the next element; `nil` after the last one and after an error.
      ///
      /// - Precondition: No other call of the reader is running.
      @inlinable
      public nonisolated(nonsending) mutating func next(
        isolation: (any Actor)?
      ) async throws(IOChannelError) -> Element? {
        // With an isolated parameter each line would cost two switches to the caller's executor.
        if !isCancelled, let line = cursor?.nextLine() { return elements.makeElement(line) }
        return try await nextOfReader()
      }

      /// Whether the calling task was cancelled: then it takes no line of those in memory.
      @usableFromInline var isCancelled: Bool { CurrentTask.isCancelled }

      /// Calls the reader for the next element.
      @usableFromInline
      mutating func nextOfReader() async throws(IOChannelError) -> Element? {
        cursor = nil
        if hasEnded { return nil }
        // An error ends the loop.
        hasEnded = true
        guard let bytes = try await readElement() else { return nil }
        hasEnded = false
        return elements.makeElement(bytes)
      }

      private mutating func readElement() async throws(IOChannelError) -> DataBuffer? {
        if let limit = elements.chunkLimit {
          return try await elements.reader.readChunk(upTo: limit)
        }
        guard let (line, rest) = try await elements.reader.readLineOfLoop() else { return nil }
        cursor = rest
        return line
      }
    }
  }

  /// Bytes that a reader has not returned yet.
  public struct Bytes: AsyncSequence, Sendable {
    /// The error of a loop.
    public typealias Failure = IOChannelError
    /// A byte.
    public typealias Element = UInt8

    let reader: ChannelReader

    /// Returns an iterator that takes bytes from the reader.
    public func makeAsyncIterator() -> Iterator { Iterator(reader: reader) }

    /// An iterator over the bytes of a reader.
    ///
    /// Copies of an iterator share the reader: each byte is returned by only one of them.
    public struct Iterator: AsyncIteratorProtocol {
      let reader: ChannelReader
      private var cursor: RegionCursor?
      private var hasEnded = false

      init(reader: ChannelReader) {
        self.reader = reader
      }

      /// Takes the next byte; `nil` after the last one and after an error.
      public mutating func next() async throws(IOChannelError) -> UInt8? {
        try await next(isolation: #isolation)
      }

      /// Takes the next byte; `nil` after the last one and after an error.
      ///
      /// - Precondition: No other call of the reader is running.
      public mutating func next(
        isolation: isolated (any Actor)?
      ) async throws(IOChannelError) -> UInt8? {
        if !CurrentTask.isCancelled, let byte = cursor?.nextByte() { return byte }
        if hasEnded { return nil }
        do throws(IOChannelError) {
          cursor = try await reader.nextCursor()
          hasEnded = cursor == nil
          return cursor?.nextByte()
        } catch {
          cursor = nil
          hasEnded = true
          throw error
        }
      }
    }
  }
}
