import Foundation
import Measure

/// B2, B3, B4 and the reads of B12, at the engine's own interface.
enum EngineReads {
  static func rows(programs: String, disk: String) -> [Row] {
    [
      cached(programs),
      direct("B3", random: true, goal: 0.95, programs, disk) { $0.seconds },
      // At most 1.5 times the rival's.
      direct("B3.cpu", random: true, goal: 0.667, programs, disk) { $0.processor },
      direct("B4", random: false, goal: 0.97, programs, disk) { $0.seconds },
      outstanding(programs),
      bytes(programs),
    ]
  }

  private static func cached(_ programs: String) -> Row {
    Row(
      id: "B2.engine",
      work: "random reads of 4 KiB at the engine's interface, cached on ext4, 64 in flight",
      rival: "bare liburing loop",
      goal: 0.6
    ) { size in
      let file = try CachedFile(megabytes: 128)
      let reads = Reads(allOver: file, count: size.count(quick: 200_000, full: 1_000_000))
      try reads.check("the bare loop", beside: "io_uring") { try reads.bareLoop().seconds }
      return Sides(
        ours: { try reads.engine(programs).seconds },
        theirs: { try withExtendedLifetime(file) { try reads.bareLoop().seconds } }
      )
    }
  }

  private static func direct(
    _ id: String,
    random isRandom: Bool,
    goal: Double,
    _ programs: String,
    _ disk: String,
    _ figure: @escaping @Sendable (Cost) -> Double
  ) -> Row {
    let what = isRandom ? "random reads of 4 KiB, depth 64" : "reads of 1 MiB in order, depth 16"
    return Row(
      id: id,
      work: "\(what), past the cache, ext4 on a disk" + (id == "B3.cpu" ? ", processor" : ""),
      rival: "fio on io_uring",
      goal: goal
    ) { size in
      let file = try DiskFile(directory: disk, megabytes: 1024)
      let reads = Reads(
        path: file.path,
        size: isRandom ? 4096 : 1 << 20,
        depth: isRandom ? 64 : 16,
        count: isRandom
          ? size.count(quick: 50_000, full: 150_000) : size.count(quick: 512, full: 1024),
        span: file.byteCount,
        isRandom: isRandom,
        isDirect: true
      )
      return Sides(
        ours: { figure(try reads.engine(programs)) },
        theirs: { try withExtendedLifetime(file) { figure(try reads.fio()) } }
      )
    }
  }

  private static func outstanding(_ programs: String) -> Row {
    Row(
      id: "B12.reads",
      work: "cached random reads of 4 KiB over 100,000 buffers, all in flight",
      rival: "the same with 64 in flight",
      goal: 0.77
    ) { _ in
      let file = try CachedFile(megabytes: 128)
      func reads(_ depth: Int) -> Reads {
        Reads(
          path: file.path,
          size: 4096,
          depth: depth,
          count: 500_000,
          span: file.byteCount,
          isRandom: true,
          isDirect: false
        )
      }
      return Sides(
        ours: { try reads(100_000).engine(programs).seconds },
        theirs: { try reads(64).engine(programs, "buffers=100000").seconds }
      )
    }
  }

  private static func bytes(_ programs: String) -> Row {
    Row(
      id: "B12.read-bytes",
      work: "memory of a read beyond the bytes of its buffer, 100,000 in flight",
      rival: "512 bytes",
      goal: 1,
      unit: "bytes",
      variation: .none
    ) { _ in
      let file = try CachedFile(megabytes: 128)
      let arguments = ["ways=ring", "order=random", "depth=100000", "count=300000", "memory=yes"]
      return Sides(
        ours: {
          struct Printed: Decodable { let bytesPerRequest: Double }
          let text = try output(["\(programs)/enginebench"] + arguments + [file.path])
          return try JSONDecoder().decode(Printed.self, from: Data(text.utf8)).bytesPerRequest
        },
        theirs: { 512 }
      )
    }
  }
}

/// A file on a disk, with blocks that were written.
private final class DiskFile {
  let path: String
  let byteCount: Int

  init(directory: String, megabytes: Int) throws {
    guard (try? run("fio", "--version")) != nil else { throw Skipped("fio is not installed") }
    let kind = try output("findmnt", "-n", "-o", "FSTYPE", "-T", directory)
      .trimmingCharacters(in: .newlines)
    guard kind == "ext4" else { throw Skipped("\(directory) is on \(kind), not on ext4") }
    path = try output("mktemp", "\(directory)/iochannels-bench.XXXXXXXX")
      .trimmingCharacters(in: .newlines)
    byteCount = megabytes << 20
    try RandomFile.write(path, megabytes: megabytes)
    try run("sync", path)
  }

  deinit {
    try? run("rm", "-f", path)
  }
}
