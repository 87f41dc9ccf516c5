import Foundation
import Measure

/// B2 and the reads of B12, at the engine's own interface.
enum EngineReads {
  static func rows(programs: String) -> [Row] {
    [
      cached(programs), outstanding(programs, "B12.reads", goal: 0.9, areBuffersAlike: true),
      outstanding(programs, "B12.reads-plain", goal: 0.9, areBuffersAlike: false),
      bytes(programs),
    ]
  }

  private static func cached(_ programs: String) -> Row {
    Row(
      id: "B2.engine",
      work: "1,000,000 random reads of 4 KiB (quick: 200,000) at the engine's interface, cached on "
        + "ext4, 64 in flight",
      rival: "bare liburing loop",
      goal: 0.65
    ) { size in
      let file = try CachedFile(megabytes: 128)
      let reads = Reads(allOver: file, count: size.count(quick: 200_000, full: 1_000_000))
      try reads.check("the bare loop", beside: "io_uring") { try reads.bareLoop().seconds }
      return Sides(
        ours: { try reads.engine(programs).timing },
        theirs: { try withExtendedLifetime(file) { try reads.bareLoop().timing } }
      )
    }
  }

  /// Caches are small: the other tool takes its memory in turn from as many buffers, or has its
  /// own.
  private static func outstanding(
    _ programs: String,
    _ id: String,
    goal: Double,
    areBuffersAlike: Bool
  ) -> Row {
    Row(
      id: id,
      work: "500,000 random reads of 4 KiB, cached on ext4, over 100,000 buffers, all in flight",
      rival: "64 in flight, \(areBuffersAlike ? "as many buffers" : "a buffer each")",
      goal: goal
    ) { _ in
      let file = try CachedFile(megabytes: 128)
      func reads(_ depth: Int) -> Reads {
        Reads(allOver: file, depth: depth, count: 500_000)
      }
      return Sides(
        ours: { try reads(100_000).engine(programs).timing },
        theirs: {
          try reads(64).engine(programs, "buffers=\(areBuffersAlike ? 100_000 : 64)").timing
        }
      )
    }
  }

  private static func bytes(_ programs: String) -> Row {
    Row(
      bound: 512,
      unit: "bytes",
      id: "B12.read-bytes",
      work: "memory of a read beyond the bytes of its buffer, 100,000 in flight"
    ) { _ in
      struct Printed: Decodable { let bytesPerRequest: Double }
      let file = try CachedFile(megabytes: 128)
      let arguments = ["ways=ring", "order=random", "depth=100000", "count=300000", "memory=yes"]
      let text = try output(["\(programs)/enginebench"] + arguments + [file.path])
      return try JSONDecoder().decode(Printed.self, from: Data(text.utf8)).bytesPerRequest
    }
  }
}
