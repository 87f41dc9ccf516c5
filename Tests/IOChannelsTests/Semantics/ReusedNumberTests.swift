import Glibc
import IOChannels
import IOChannelsEngine
import IOChannelsTestSupport
import Testing

@Suite("Numbers whose file changes (F24, I17)")
struct ReusedNumberTests {
  /// Has a number mean the file of another one.
  private func replace(_ number: Int32, with other: borrowing OwnedDescriptor) throws {
    try #require(dup2(other.rawValue, number) == number)
  }

  @Test("From the cleanup on the number belongs to the caller", arguments: TestBackend.allCases)
  func theNumberIsTheCallersFromTheCleanupOn(backend: TestBackend) async throws {
    for _ in 0..<50 {
      let first = try PipeEnds()
      let second = try PipeEnds()
      #expect(try second.writing.borrowed.write([1, 2, 3], 0..<3) == 3)
      let number = try first.reading.borrowed.duplicate()
      let trace = Trace()
      let channel = try backend.channel(.stream, number, trace)
      for _ in 0..<3 {
        channel.read(offset: 0, length: 10, queue: trace.queue, ioHandler: trace.handler())
      }
      // Once this is answered the first read is under way.
      _ = try backend.engine().report(stuckAfter: .zero)
      channel.close(flags: .stop)
      #expect(
        await trace.entries(4) == [
          .delivery(done: true, bytes: nil, error: .canceled),
          .delivery(done: true, bytes: nil, error: .canceled),
          .delivery(done: true, bytes: nil, error: .canceled), .cleanup,
        ]
      )
      try replace(number.rawValue, with: second.reading)
      var bytes = [UInt8](repeating: 0, count: 10)
      #expect(try second.reading.borrowed.read(into: &bytes) == 3, "nobody else has read")
      #expect(bytes[..<3] == [1, 2, 3])
    }
  }

  /// Nothing here holds the open file: a caller that breaks the rule gets what it asks for.
  @Test("Before the cleanup a number is the file that has it", arguments: TestBackend.allCases)
  func beforeTheCleanupANumberIsWhateverHasIt(backend: TestBackend) async throws {
    let directory = try TemporaryDirectory()
    let file = try openFile(directory.write(pattern(100), to: "file"))
    let other = try openFile(directory.write(pattern(100, from: 7), to: "other"))
    let trace = Trace()
    let channel = try backend.channel(.random, file, trace)
    try replace(file.rawValue, with: other)
    channel.read(offset: 0, length: 100, queue: trace.queue, ioHandler: trace.handler())
    #expect(await trace.entries(1) == [.delivery(done: true, bytes: 100)])
    #expect(trace.bytes == pattern(100, from: 7))
    channel.close()
    #expect(await trace.entries(2).last == .cleanup)
  }
}
