import IOChannels
import Measure
import Synchronization

/// Our way of reading a stream, with the default marks.
enum ChannelRead {
  /// What the handlers count; they run one after the other on a serial queue.
  private final class Count: @unchecked Sendable {
    var bytes = 0
    var ended = 0
    var error: Errno?
    /// The last results, where these are kept.
    var kept: [DataBuffer?] = []
  }

  static func stream(path: String, expecting count: Int) throws -> Timing {
    try timed(path: path, expecting: count) { descriptor in
      let queue = WorkQueue(label: "read")
      let seen = Count()
      let done = WorkGroup()
      done.enter()
      let channel = IOChannel(kind: .stream, fileDescriptor: descriptor, queue: queue) { _ in
        done.leave()
      }
      channel.read(offset: 0, length: .max, queue: queue) { isDone, data, error in
        seen.bytes += data?.count ?? 0
        seen.error = error
        if isDone { channel.close() }
      }
      done.wait()
      if let error = seen.error { throw CommandFailure(description: "IOChannel: \(error)") }
      return seen.bytes
    }
  }

  /// Reads 4 KiB all over a file, so many at a time, and keeps so many of the last results.
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

  /// Reads past the cache, in order or all over a file.
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

  /// Reads parts of a length, so many at a time, and keeps so many of the last results; whoever
  /// ends one starts the next.
  private static func parts(
    of descriptor: Int32,
    _ length: Int,
    count: Int,
    inFlight: Int,
    keeping kept: Int = 0,
    _ offset: @escaping @Sendable (_ index: Int) -> Int64
  ) throws -> Int {
    let queue = WorkQueue(label: "read")
    let seen = Count()
    seen.kept = Array(repeating: nil, count: kept)
    let done = WorkGroup()
    done.enter()
    let channel = IOChannel(kind: .random, fileDescriptor: descriptor, queue: queue) { _ in
      done.leave()
    }
    @Sendable func start(_ index: Int) {
      channel.read(offset: offset(index), length: length, queue: queue) { isDone, data, error in
        seen.bytes += data?.count ?? 0
        if let error { seen.error = error }
        guard isDone else { return }
        if kept > 0 { seen.kept[seen.ended % kept] = data }
        seen.ended += 1
        if index + inFlight < count { start(index + inFlight) }
        if seen.ended == count { channel.close() }
      }
    }
    for index in 0..<min(inFlight, count) { start(index) }
    done.wait()
    if let error = seen.error { throw CommandFailure(description: "IOChannel: \(error)") }
    return seen.bytes
  }
}
