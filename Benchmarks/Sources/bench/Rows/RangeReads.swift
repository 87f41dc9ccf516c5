import Foundation
import IOChannels
import Measure

/// B22: a list of ranges of a file, such as the columns of a table, read in any order.
struct RangeReads {
  let disk: String

  var rows: [Row] {
    [
      Row(
        id: "B22.cached",
        work: "read of 20,000 ranges of 4 KiB, cached on ext4",
        rival: "bare liburing loop, 64 in flight",
        goal: 0.9
      ) { _ in
        let file = try CachedFile.shared(megabytes: 128)
        let reads = Reads(allOver: file, count: 20_000)
        return Sides(
          ours: { try Self.ranges(of: reads) },
          theirs: { try withExtendedLifetime(file) { try reads.bareLoop().timing } }
        )
      },
      Row(
        id: "B22.direct",
        work: "read of 20,000 ranges of 4 KiB, past the cache, ext4 on a disk",
        rival: "bare liburing loop, 64 in flight",
        goal: 0.95,
        variation: .usual
      ) { [disk] _ in
        let file = try DiskFile.shared(directory: disk, megabytes: 1024)
        let reads = Reads(
          path: file.path,
          size: 4096,
          depth: 64,
          count: 20_000,
          span: file.byteCount,
          isRandom: true,
          isDirect: true
        )
        return Sides(
          ours: { try Self.ranges(of: reads) },
          theirs: { try withExtendedLifetime(file) { try reads.bareLoop().timing } }
        )
      },
    ]
  }

  private static func ranges(of reads: Reads) throws -> Timing {
    let flags = reads.isDirect ? OpenFlags.direct.rawValue : 0
    let blocks = reads.span / reads.size
    let ranges = (0..<reads.count).map { index -> Range<Int64> in
      let start = Int64(RandomRead.block(index, of: blocks) * reads.size)
      return start..<start + Int64(reads.size)
    }
    return try timed(path: reads.path, flags, expecting: reads.count * reads.size) { descriptor in
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
        for try await chunk in channel.chunks(of: ranges, gapLimit: 0) {
          seen += chunk.data.count
        }
        return seen
      }
    }
  }
}
