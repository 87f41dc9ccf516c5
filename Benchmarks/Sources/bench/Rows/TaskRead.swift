import Foundation
import IOChannels
import Measure

/// B7: small reads that a task awaits, one after the other.
enum TaskRead {
  static let rows = [
    Row(
      id: "B7",
      work: "await of 200,000 reads of 4 KiB (quick: 50,000), cached on ext4, one at a time",
      rival: "pread",
      goal: 0.75
    ) { size in
      let file = try CachedFile(megabytes: 128)
      let count = size.count(quick: 50_000, full: 200_000)
      try check(file, count: count)
      return Sides(
        ours: { try awaited(path: file.path, count: count) },
        theirs: { try plain(path: file.path, count: count) }
      ).with {
        let (ours, theirs) = (Latencies(count: count), Latencies(count: count))
        _ = try awaited(path: file.path, count: count, ours)
        _ = try plain(path: file.path, count: count, theirs)
        return (ours.tail, theirs.tail)
      }
    }
  ]

  private static func check(_ file: CachedFile, count: Int) throws {
    let reads = Reads(allOver: file, depth: 1, count: count)
    try reads.check("the loop of pread", beside: "psync") {
      try plain(path: file.path, count: count).duration / .seconds(1)
    }
  }

  private static func awaited(
    path: String,
    count: Int,
    _ latencies: Latencies? = nil
  ) throws -> Timing {
    try timed(path: path, expecting: count * 4096) { descriptor in
      let end = WorkGroup()
      end.enter()
      let channel = IOChannel(type: .random, fileDescriptor: descriptor, queue: .global()) { _ in
        end.leave()
      }
      // The descriptor is the channel's until it has cleaned up.
      defer {
        channel.close()
        end.wait()
      }
      return try waitForTask {
        var seen = 0
        for index in 0..<count {
          let start = latencies == nil ? 0 : Latencies.now()
          seen += try await channel.read(length: 4096, at: RandomRead.offset(of: index)).count
          latencies?.add(since: start)
        }
        return seen
      }
    }
  }

  private static func plain(
    path: String,
    count: Int,
    _ latencies: Latencies? = nil
  ) throws -> Timing {
    try timed(path: path, expecting: count * 4096) { descriptor in
      var bytes = [UInt8](repeating: 0, count: 4096)
      var seen = 0
      for index in 0..<count {
        let start = latencies == nil ? 0 : Latencies.now()
        seen += pread(descriptor, &bytes, bytes.count, off_t(RandomRead.offset(of: index)))
        latencies?.add(since: start)
      }
      return seen
    }
  }
}
