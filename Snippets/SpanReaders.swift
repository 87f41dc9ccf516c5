// Adapts channels to protocols for readers and writers of spans, as other packages declare them.

import IOChannels

/// The error of a read: that of the reader, or that of the function.
enum SpanError<Reading: Error, Body: Error>: Error {
  case reading(Reading)
  case body(Body)
}

/// A reader that owns the memory into which it reads, and shows it to a function.
protocol SpanReader {
  associatedtype ReadFailure: Error

  /// Reads at most so many bytes, at least one. An empty span is the end.
  mutating func read<Return, Failure: Error>(
    maximumCount: Int,
    body: (Span<UInt8>) async throws(Failure) -> Return
  ) async throws(SpanError<ReadFailure, Failure>) -> Return
}

/// A writer of memory that the caller owns and may change after the call.
protocol SpanWriter {
  associatedtype WriteFailure: Error

  mutating func write(_ bytes: Span<UInt8>) async throws(WriteFailure)
}

struct ChannelSpanReader: SpanReader {
  typealias ReadFailure = IOChannelError
  let reader: ChannelReader

  mutating func read<Return, Failure: Error>(
    maximumCount: Int,
    body: (Span<UInt8>) async throws(Failure) -> Return
  ) async throws(SpanError<IOChannelError, Failure>) -> Return {
    var bytes = DataBuffer.empty
    do throws(IOChannelError) { bytes = try await reader.read(upTo: maximumCount) } catch {
      throw .reading(error)
    }
    // Nearly always there is one region, which is then not copied.
    bytes.makeContiguous()
    do throws(Failure) {
      guard let region = bytes.regions.first else { return try await body(Span()) }
      return try await body(Span(_bytes: region.bytes))
    } catch {
      throw .body(error)
    }
  }
}

struct ChannelSpanWriter: SpanWriter {
  typealias WriteFailure = IOChannelError
  let channel: IOChannel

  mutating func write(_ bytes: Span<UInt8>) async throws(IOChannelError) {
    try await channel.write(DataBuffer(bytes: bytes.bytes))
  }
}

// snippet.hide
func copy(_ source: IOChannel, to target: IOChannel) async throws -> Int {
  var reader = ChannelSpanReader(reader: ChannelReader(source))
  var writer = ChannelSpanWriter(channel: target)
  var (sum, last) = (0, 1)
  while last > 0 {
    last = try await reader.read(maximumCount: 5) { (bytes: Span<UInt8>) async throws -> Int in
      try await writer.write(bytes)
      return bytes.count
    }
    sum += last
  }
  return sum
}

let path = BytePath("\(CommandLine.arguments[0]).copy")
let count = try await IOChannel.withOpen("/proc/self/comm") { source in
  try await IOChannel.withOpen(path, [.writeOnly, .create, .truncate]) { target in
    try await copy(source, to: target)
  }
}
let copied = try await IOChannel.withOpen(path) { try await $0.readAll() }
print(count, String(decoding: copied, as: UTF8.self), terminator: "")
// 12 SpanReaders
