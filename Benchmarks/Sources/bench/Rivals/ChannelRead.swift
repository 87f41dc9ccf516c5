import IOChannels
import Measure

/// A reader through an `IOChannel` with the default marks.
enum ChannelRead {
  static func stream(path: String, expecting count: Int) throws -> Timing {
    try timed(path: path, expecting: count) { descriptor in
      try Tally.ofChannel(.stream, descriptor) { channel, queue, tally in
        channel.read(offset: 0, length: .max, queue: queue) { isDone, data, error in
          tally.bytes += data?.count ?? 0
          tally.error = error
          if isDone { channel.close() }
        }
      }
    }
  }

  /// Reads 4 KiB all over a file, `inFlight` at a time, and keeps the last `kept` results.
  static func random(
    path: String,
    count: Int,
    inFlight: Int,
    keeping kept: Int = 0
  ) throws -> Timing {
    try timed(path: path, expecting: count * 4096) { descriptor in
      try parts(of: descriptor, 4096, count: count, inFlight: inFlight, keeping: kept) { index in
        RandomRead.offset(of: index)
      }
    }
  }

  /// Reads a file with direct I/O, in order or all over it.
  static func direct(_ reads: Reads) throws -> Timing {
    let blocks = reads.span / reads.size
    let count = reads.count
    let flags = OpenFlags.direct.rawValue
    return try timed(path: reads.path, flags, expecting: count * reads.size) { descriptor in
      try parts(of: descriptor, reads.size, count: count, inFlight: reads.depth) { index in
        let block = reads.isRandom ? RandomRead.block(index, of: blocks) : index % blocks
        return Int64(block * reads.size)
      }
    }
  }

  /// The last results, where a row keeps them.
  private final class Kept: @unchecked Sendable {
    var results: [DataBuffer?]

    init(count: Int) { results = Array(repeating: nil, count: count) }
  }

  /// Reads parts of one length, `inFlight` at a time, and keeps the last `kept` results.
  private static func parts(
    of descriptor: Int32,
    _ length: Int,
    count: Int,
    inFlight: Int,
    keeping kept: Int = 0,
    _ offset: @escaping @Sendable (_ index: Int) -> Int64
  ) throws -> Int {
    let last = Kept(count: kept)
    return try Tally.ofChannel(.random, descriptor) { channel, queue, tally in
      @Sendable func start(_ index: Int) {
        channel.read(offset: offset(index), length: length, queue: queue) { isDone, data, error in
          tally.bytes += data?.count ?? 0
          if error != 0 { tally.error = error }
          guard isDone else { return }
          if kept > 0 { last.results[tally.ended % kept] = data }
          tally.end(index, of: count, inFlight: inFlight, start: start) { channel.close() }
        }
      }
      for index in 0..<min(inFlight, count) { start(index) }
    }
  }
}
