import Foundation
import Measure

/// B25: one source that is copied to two disks.
enum DestinationCopies {
  /// The bytes that each disk writes in a second.
  private static let rate = 200_000_000

  static func rows(_ programs: Programs) -> [Row] {
    [
      row(programs, "B25.alone", rival: "fastcp -a --sync to one of them", goal: 0.87) { scene in
        try scene.time([["-aT", "--sync", scene.source, scene.copies[0]]])
      },
      row(programs, "B25.cp", rival: "cp -a and sync, one after the other", goal: 1.74) { scene in
        let commands = scene.copies.flatMap { copy in
          [["cp", "-a", scene.source, copy], ["sync", "-f", copy]]
        }
        return try scene.time(programs: commands)
      },
    ]
  }

  private static func row(
    _ programs: Programs,
    _ id: String,
    rival: String,
    goal: Double,
    _ theirs: @escaping @Sendable (TwoDisks) throws -> Timing
  ) -> Row {
    Row(
      id: id,
      work: "fastcp -a --sync --also-to: a file of 512 MiB (quick: 128 MiB) and 1,000 small ones "
        + "that are in memory, to two ext4 that write 200 MB/s each",
      rival: rival,
      goal: goal,
      variation: .unprepared
    ) { size in
      let megabytes = size.count(smoke: 16, quick: 128, full: 512)
      return Sides(
        ours: {
          try TwoDisks.measure(programs, megabytes, rate: rate) { scene in
            let (first, second) = (scene.copies[0], scene.copies[1])
            return try scene.time([["-aT", "--sync", "--also-to=\(second)", scene.source, first]])
          }
        },
        theirs: { try TwoDisks.measure(programs, megabytes, rate: rate, theirs) }
      )
    }
  }
}

/// A source in memory and two disks with a limited rate, for one measured copy.
struct TwoDisks {
  let source: String
  /// The names of the copies on the disks.
  let copies: [String]
  private let programs: String

  /// Performs one run: new file systems, the source, the measured copy, the comparison.
  static func measure(
    _ programs: Programs,
    _ megabytes: Int,
    rate: Int,
    _ copying: (TwoDisks) throws -> Timing
  ) throws -> Timing {
    // Source and copies with their images.
    let room = 768 + 6 * megabytes
    defer { FreeMemory.refill() }
    FreeMemory.makeRoom(megabytes: room)
    let system = try FreshFileSystem(gigabytes: 4)
    let disks = try (0..<2).map { _ in
      try ThrottledDisk(bytesPerSecond: rate, gigabytes: 4)
    }
    let source = "\(system.path)/source"
    try run("\(programs.directory)/treemake", "\(programs.seed)", "1000", source)
    try RandomFile.write("\(source)/large", megabytes: megabytes)
    try run("sync", "-f", source)
    // This also brings all names into memory.
    let comparison = Scene(programs: programs.directory) { _ in }
    let listing = try comparison.digest(of: source)
    FreeMemory.renewRoom(megabytes: room)
    let scene = TwoDisks(
      source: source,
      copies: disks.map { "\($0.path)/copy" },
      programs: programs.directory
    )
    let timing = try copying(scene)
    for copy in scene.copies where FileManager.default.fileExists(atPath: copy) {
      guard try comparison.digest(of: copy) == listing else {
        throw CommandFailure(description: "a copy on one of two disks differs from its source")
      }
    }
    return withExtendedLifetime((system, disks)) { timing }
  }

  /// Times copies by fastcp with these arguments, one after the other.
  func time(_ copies: [[String]]) throws -> Timing {
    try time(programs: copies.map { ["\(programs)/fastcp"] + $0 })
  }

  /// Times commands, one after the other.
  func time(programs commands: [[String]]) throws -> Timing {
    let timings = try commands.map { try bench.time(ThrottledDisk.limited($0)) }
    return timings.dropFirst().reduce(timings[0], +)
  }
}
