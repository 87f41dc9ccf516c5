import Foundation
import Measure

/// B3 and B4: reads of a disk, past the cache, at the engine's own interface and through a channel.
struct DirectReads {
  let programs: String
  let disk: String

  var rows: [Row] {
    let engine = "at the engine's interface"
    let channel = "through a channel"
    return [
      row("B3", isRandom: true, goal: 0.97, engine, throughEngine),
      // At most 1.5 times that of the other tool, and less since that was reached.
      row("B3.cpu", isRandom: true, goal: 1, "\(engine), processor", throughEngine, Self.processor),
      row("B3.xfs", on: "xfs", isRandom: true, goal: 0.97, engine, throughEngine),
      row(
        "B3.channel",
        isRandom: true,
        goal: 0.9,
        channel,
        ChannelRead.direct,
        tails: { (try ChannelRead.tail($0), try $0.fioTail()) }
      ),
      row(
        "B3.channel-cpu",
        isRandom: true,
        goal: 0.667,
        "\(channel), processor",
        ChannelRead.direct,
        Self.processor
      ),
      row("B4", isRandom: false, goal: 0.97, engine, throughEngine),
      row("B4.xfs", on: "xfs", isRandom: false, goal: 0.97, engine, throughEngine),
      row("B4.channel", isRandom: false, goal: 0.97, channel, ChannelRead.direct),
    ]
  }

  /// Returns the reads of a file.
  private static func reads(of file: DiskFile, isRandom: Bool, _ size: Size) -> Reads {
    Reads(
      path: file.path,
      size: isRandom ? 4096 : 1 << 20,
      depth: isRandom ? 64 : 16,
      count: isRandom
        ? size.count(quick: 50_000, full: 150_000) : size.count(quick: 512, full: 1024),
      span: file.byteCount,
      isRandom: isRandom,
      isDirect: true
    )
  }

  private func throughEngine(_ reads: Reads) throws -> Timing {
    try reads.engine(programs).timing
  }

  /// Returns a timing with the processor time in place of the time.
  private static func processor(_ timing: Timing) -> Timing {
    Timing(duration: .seconds(timing.use.seconds), use: timing.use)
  }

  private func row(
    _ id: String,
    on kind: String = "ext4",
    isRandom: Bool,
    goal: Double,
    _ way: String,
    _ ours: @escaping @Sendable (Reads) throws -> Timing,
    _ measure: @escaping @Sendable (Timing) -> Timing = { $0 },
    tails: (@Sendable (Reads) throws -> (ours: Tail, theirs: Tail))? = nil
  ) -> Row {
    let what =
      isRandom
      ? "150,000 random reads of 4 KiB (quick: 50,000), depth 64"
      : "1,024 reads of 1 MiB (quick: 512) in order, depth 16"
    return Row(
      id: id,
      work: "\(what), past the cache, \(kind) on a disk, \(way)",
      rival: "fio on io_uring",
      goal: goal,
      variation: isRandom ? .usual : .large
    ) { [disk] size in
      let file = try DiskFile.shared(directory: disk, on: kind, megabytes: 1024)
      let reads = Self.reads(of: file, isRandom: isRandom, size)
      let sides = Sides(
        ours: { measure(try ours(reads)) },
        theirs: { measure(try withExtendedLifetime(file) { try reads.fio().timing }) }
      )
      guard let tails else { return sides }
      return sides.with { try withExtendedLifetime(file) { try tails(reads) } }
    }
  }
}

/// A file on a disk, with blocks that were written.
final class DiskFile {
  let path: String
  let byteCount: Int
  private let kind: String
  /// The image that it lies in, where the disk's own file system is of another kind.
  private let system: FreshFileSystem?
  /// The latest file, while it is in use; the harness creates files on one thread.
  private nonisolated(unsafe) static weak var latest: DiskFile?

  /// Returns the file in use, or a new one: its place on the disk is chance.
  static func shared(
    directory: String,
    on kind: String = "ext4",
    megabytes: Int
  ) throws -> DiskFile {
    if let latest, latest.byteCount == megabytes << 20, latest.kind == kind { return latest }
    let file = try DiskFile(directory: directory, on: kind, megabytes: megabytes)
    latest = file
    return file
  }

  init(directory: String, on kind: String, megabytes: Int) throws {
    try need("fio")
    let found = try fileSystem(of: directory)
    if kind == "ext4" && found != kind { throw Skipped("\(directory) is on \(found), not on ext4") }
    system =
      try found == kind ? nil : FreshFileSystem(kind: kind, gigabytes: 2, images: directory)
    self.kind = kind
    path = try output("mktemp", "\(system?.path ?? directory)/iochannels-bench.XXXXXXXX")
      .trimmingCharacters(in: .newlines)
    byteCount = megabytes << 20
    try RandomFile.write(path, megabytes: megabytes)
    try run("sync", path)
  }

  deinit {
    try? run("rm", "-f", path)
  }
}
