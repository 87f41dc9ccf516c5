import CIOChannelsTestSupport
import IOChannels
import IOChannelsEngine
import IOChannelsSystem
import IOChannelsTestSupport

/// Files that differ in every byte from each other, and their bytes.
struct Contents: Sendable {
  struct Content: Sendable {
    let path: String
    let array: [UInt8]
    let bytes: DataBuffer
  }

  let all: [Content]

  /// Writes the files into a directory: empty ones, small ones and some of several steps.
  init(in directory: String) throws {
    let sizes = [0, 1, 1000, 4096, 10_000, 65_536, 100_001, 300_000, 1 << 20, 2_500_000]
    let plain = pattern(sizes.max() ?? 0)
    all = try sizes.enumerated().map { number, size in
      let bytes = plain[..<size].map { $0 &+ UInt8(number * 23) }
      let path = "\(directory)/\(number)"
      let file = try openFile(path, [.writeOnly, .create])
      var start = 0
      while start < size { start += try file.borrowed.write(bytes, start..<size) }
      return Content(path: path, array: bytes, bytes: DataBuffer(bytes))
    }
  }
}

/// Something to read from: a file, or a pipe that gets the start of a file's bytes.
struct Source: ~Copyable {
  let reading: OwnedDescriptor
  private let writingEnd: OwnedDescriptor?
  /// Where bytes go in; closed with this value.
  let writing: BorrowedDescriptor?
  /// All that can be read.
  let bytes: DataBuffer
  let feed: Feed
  let isPipe: Bool

  /// A pipe has room for 16 pages; three writes may leave two of them partly empty.
  private static let pipeBytes = 14 * 4096

  init(_ contents: Contents, _ generator: inout SeededGenerator) throws {
    let content = contents.all[generator.number(in: 0..<contents.all.count)]
    isPipe = generator.chance(percent: 40)
    if isPipe {
      let ends = ct_pipe()
      check(ends.reading >= 0)
      reading = OwnedDescriptor(owning: ends.reading)
      let end = OwnedDescriptor(owning: ends.writing)
      writing = end.borrowed
      writingEnd = consume end
      let count = min(content.array.count, Source.pipeBytes)
      bytes = content.bytes.subdata(in: 0..<count)
      feed = Feed(bytes: content.array, end: count)
    } else {
      reading = try openFile(content.path)
      writing = nil
      writingEnd = nil
      bytes = content.bytes
      feed = Feed(bytes: [], end: 0)
    }
  }
}

extension Source {
  /// Closes both ends, the last thing to do with it.
  consuming func close() {}

  /// Closes both ends of a pipe that nobody reads any more, and counts the bytes left in it.
  consuming func closeCountingRest() throws -> Int {
    let end = try reading.borrowed.duplicate()
    close()
    var count = 0
    var piece = [UInt8](repeating: 0, count: Source.pipeBytes)
    while case let more = try end.borrowed.read(into: &piece), more > 0 { count += more }
    return count
  }
}

/// What is left to be put into a pipe.
struct Feed {
  let bytes: [UInt8]
  let end: Int
  private var start = 0

  init(bytes: [UInt8], end: Int) {
    self.bytes = bytes
    self.end = end
  }

  /// Puts up to `count` bytes more into the pipe, if there is one.
  mutating func write(_ count: Int, to writing: BorrowedDescriptor?) throws {
    guard let writing else { return }
    let next = start + min(count, end - start)
    while start < next { start += try writing.write(bytes, start..<next) }
  }
}
