import DataRegions
import Glibc
import IOChannels
import QueueRuntime
import IOChannelsSystem
import IOChannelsTestSupport

/// What is done with the channels of one file of 16 MiB.
struct ChannelWorks {
  private static let size = 16 << 20
  private let path: String

  /// Makes the file, all of which is in memory then.
  init(path: String) throws {
    self.path = path
    let file = try openFile(path, [.writeOnly, .create, .truncate])
    let bytes = Self.lines(Self.size)
    guard try file.borrowed.write(bytes, 0..<bytes.count) == bytes.count else {
      throw TestFailure("\(path): not all was written")
    }
  }

  var all: [Work] {
    [
      Work("read of 4 KiB in memory, 64 in flight", atMost: 4.1, 12, 0.1, 1.1, reads(4096, 64)),
      // Where the handlers' thread keeps up with the reads, it falls asleep and is called again. It
      // gives back what the other thread took, and the allocator's lock has either wait at times.
      Work(
        "read of 4 KiB in memory, 100,000 in flight",
        atMost: 5.2,
        18,
        0.5,
        4,
        count: 100_000,
        reads(4096, 100_000)
      ),
      Work("read of 32 KiB, 64 in flight", atMost: 4.5, 30, 0.5, 1.6, reads(32 << 10, 64)),
      Work("read of 32 KiB, 20,000 in flight", atMost: 5.5, 52, 0.5, 1.6, reads(32 << 10, 20_000)),
      Work("write of 64 KiB, 16 in flight, a handler each", atMost: 4, 55, 2.5, 2, count: 4_000) {
        count in
        let data = DataBuffer(Self.lines(65_536))
        try inFlight(16, of: count) { relay in
          let place = offset(of: relay.index, 65_536)
          relay.channel.write(offset: place, data: data, queue: relay.queue) { isDone, _, error in
            stop(if: error, "write")
            if isDone { relay.next() }
          }
        }
      },
      Work("1 MiB of a stream", atMost: 12, 90, 3, 6, count: 16) { _ in
        let file = try openFile(path)
        let queue = WorkQueue(label: "costs")
        withChannel(.stream, file, queue) { channel in
          channel.read(offset: 0, length: .max, queue: queue) { _, _, error in
            stop(if: error, "read of a stream")
          }
        }
      },
      Work("line of a loop, in memory", atMost: 0.1, 1.1, 0.1, 0.1) { count in
        let file = try openFile(path)
        try withChannel(.random, file, .global()) { channel in
          try waitForTask { for try await _ in channel.lines.prefix(count) {} }
        }
      },
      Work("await of a read of 4 KiB", atMost: 2.1, 2.1, 0.1, 1.1) { count in
        let file = try openFile(path)
        try withChannel(.random, file, .global()) { channel in
          try waitForTask {
            for index in 0..<count {
              _ = try await channel.read(length: 4096, at: offset(of: index, 4096))
            }
          }
        }
      },
    ]
  }

  /// So many bytes, of which every 64th is a line feed.
  private static func lines(_ length: Int) -> [UInt8] {
    (0..<length).map { $0 % 64 == 63 ? UInt8(ascii: "\n") : 7 }
  }

  /// Reads of so many bytes, so many in flight with a handler each.
  private func reads(_ length: Int, _ width: Int) -> (_ count: Int) throws -> Void {
    { count in
      try inFlight(width, of: count) { relay in
        let place = offset(of: relay.index, length)
        relay.channel.read(offset: place, length: length, queue: relay.queue) { isDone, _, error in
          stop(if: error, "read")
          if isDone { relay.next() }
        }
      }
    }
  }

  /// Where the part of this number begins, all over the file.
  private func offset(of index: Int, _ length: Int) -> Int64 {
    Int64(((index &* 0x9E37_79B9) >> 7) % (Self.size / length) * length)
  }

  /// Operations that follow each other, as one of many that are under way.
  ///
  /// A handler that holds only a relay has no memory of its own. So only the memory of a relay for
  /// each operation under way is counted besides that of the library. It is `@unchecked Sendable`
  /// because its operations do not overlap.
  private final class Relay: @unchecked Sendable {
    let channel: IOChannel
    let queue: WorkQueue
    /// The number of the operation.
    private(set) var index: Int
    private let width: Int
    private let count: Int
    private let end: WorkGroup
    private let begin: (Relay) -> Void

    init(
      _ channel: IOChannel,
      _ queue: WorkQueue,
      from index: Int,
      by width: Int,
      upTo count: Int,
      _ end: WorkGroup,
      _ begin: @escaping (Relay) -> Void
    ) {
      self.channel = channel
      self.queue = queue
      self.index = index
      self.width = width
      self.count = count
      self.end = end
      self.begin = begin
      end.enter()
    }

    /// Begins the first operation.
    func start() {
      if index < count { begin(self) } else { end.leave() }
    }

    /// Begins the operation after one that has ended.
    func next() {
      index += width
      start()
    }
  }

  /// Keeps so many operations under way: whoever ends one begins the next.
  private func inFlight(_ width: Int, of count: Int, _ begin: @escaping (Relay) -> Void) throws {
    let file = try openFile(path, .readWrite)
    let queue = WorkQueue(label: "costs")
    let end = WorkGroup()
    withChannel(.random, file, queue) { channel in
      let relays = (0..<width).map { index in
        Relay(channel, queue, from: index, by: width, upTo: count, end, begin)
      }
      for relay in relays { relay.start() }
      end.wait()
    }
  }
}
