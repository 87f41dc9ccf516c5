import IOChannels
import IOChannelsTestSupport
import Testing

/// A reader of a pipe, and what has to stay open.
struct PipeReader: ~Copyable {
  let ends: PipeEnds
  let trace: Trace
  let channel: IOChannel
  let reader: ChannelReader

  init(
    _ backend: TestBackend,
    lineEnding: ChannelReader.LineEnding = .any,
    lineLimit: Int = 1 << 20
  ) throws {
    let ends = try PipeEnds()
    let trace = Trace()
    channel = try backend.channel(.stream, ends.reading, trace)
    reader = ChannelReader(channel, lineEnding: lineEnding, lineLimit: lineLimit)
    self.ends = ends
    self.trace = trace
  }

  func write(_ text: String) throws {
    let bytes = Array(text.utf8)
    #expect(try ends.writing.borrowed.write(bytes, 0..<bytes.count) == bytes.count)
  }

  /// Waits until the reader has read all that was written.
  func waitUntilEmpty() async {
    while ends.reading.borrowed.waitUntilReadable(milliseconds: 0) { await Task.yield() }
  }

  consuming func close() async {
    channel.close()
    await trace.reach(1)
  }
}

/// The text of bytes that are valid UTF-8.
func text(_ bytes: DataBuffer?) -> String? {
  bytes.map { String(decoding: $0, as: UTF8.self) }
}
