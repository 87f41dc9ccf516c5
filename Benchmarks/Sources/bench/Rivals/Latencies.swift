import Dispatch
import Foundation
import IOChannels
import Measure

/// The times of single operations.
///
/// They are taken apart from the pairs of a row, because two looks at a clock may take as long as
/// the operation. One thread at a time adds times, as the queue under test sees to.
final class Latencies: @unchecked Sendable {
  private var nanoseconds: [UInt64] = []

  var count: Int { nanoseconds.count }
  var tail: Tail { Tail(nanoseconds: nanoseconds) }

  init(count: Int) {
    nanoseconds.reserveCapacity(count)
  }

  /// Adds the time since a start.
  func add(since start: UInt64) {
    nanoseconds.append(Self.now() - start)
  }

  /// Returns the nanoseconds of a clock that does not jump.
  static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// Runs operations, `inFlight` at a time, whose ends are reported one after the other.
  static func of(
    _ count: Int,
    inFlight: Int,
    _ begin: @escaping @Sendable (_ index: Int, _ end: @escaping @Sendable () -> Void) -> Void
  ) -> Tail {
    let latencies = Latencies(count: count)
    let done = DispatchSemaphore(value: 0)
    @Sendable func start(_ index: Int) {
      let begun = now()
      begin(index) {
        latencies.add(since: begun)
        if latencies.count == count { done.signal() }
        if index + inFlight < count { start(index + inFlight) }
      }
    }
    for index in 0..<min(inFlight, count) { start(index) }
    done.wait()
    return latencies.tail
  }
}

extension ChannelRead {
  /// Takes the times of reads of 4 KiB all over a file.
  static func tail(_ reads: Reads) throws -> Tail {
    let flags = reads.isDirect ? OpenFlags.direct.rawValue : 0
    let blocks = reads.span / reads.size
    let length = reads.size
    return try opened(reads.path, flags) { descriptor in
      let (queue, end) = (WorkQueue(label: "transfer"), WorkGroup())
      end.enter()
      let channel = IOChannel(type: .random, fileDescriptor: descriptor, queue: queue) { _ in
        end.leave()
      }
      let tail = Latencies.of(reads.count, inFlight: reads.depth) { index, ended in
        let offset = Int64(RandomRead.block(index, of: blocks) * length)
        channel.read(offset: offset, length: length, queue: queue) { isDone, _, _ in
          if isDone { ended() }
        }
      }
      channel.close()
      end.wait()
      return tail
    }
  }
}

extension DispatchRead {
  /// Takes the times of reads of 4 KiB all over a file.
  static func tail(_ reads: Reads) throws -> Tail {
    let blocks = reads.span / reads.size
    let length = reads.size
    return try opened(reads.path, 0) { descriptor in
      let (queue, end) = (DispatchQueue(label: "transfer"), DispatchSemaphore(value: 0))
      let channel = DispatchIO(type: .random, fileDescriptor: descriptor, queue: queue) { _ in
        end.signal()
      }
      let tail = Latencies.of(reads.count, inFlight: reads.depth) { index, ended in
        let offset = off_t(RandomRead.block(index, of: blocks) * length)
        channel.read(offset: offset, length: length, queue: queue) { isDone, _, _ in
          if isDone { ended() }
        }
      }
      channel.close()
      end.wait()
      return tail
    }
  }
}

extension OurQueues {
  /// Takes the times from hop to hop between two serial queues.
  static func tailOfHops(_ count: Int) -> Tail {
    let queues = (WorkQueue(label: "ping"), WorkQueue(label: "pong"))
    return Latencies.of(count, inFlight: 1) { index, ended in
      (index % 2 == 0 ? queues.0 : queues.1).async { ended() }
    }
  }
}

extension DispatchQueues {
  /// Takes the times from hop to hop between two serial queues.
  static func tailOfHops(_ count: Int) -> Tail {
    let queues = (DispatchQueue(label: "ping"), DispatchQueue(label: "pong"))
    return Latencies.of(count, inFlight: 1) { index, ended in
      (index % 2 == 0 ? queues.0 : queues.1).async { ended() }
    }
  }
}

/// Opens a file for some work, and closes it.
func opened<Result>(
  _ path: String,
  _ flags: Int32,
  _ work: (Int32) throws -> Result
) throws -> Result {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC | flags)
  guard descriptor >= 0 else { throw CommandFailure(description: "\(path): error \(errno)") }
  defer { close(descriptor) }
  return try work(descriptor)
}
