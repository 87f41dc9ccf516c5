import Foundation
import Measure

/// The copies of every day: files of one size, from one place to another, beside `cp` and beside a
/// loop of `read` and `write`.
///
/// Each cell has its source once and a new file system for each copy. The programs alternate in
/// random order. The cells in which `fastcp` loses are printed first.
struct CopyGrid {
  /// A kind of copy.
  private enum Way: String, CaseIterable {
    case tree = "-r"
    case archive = "-a"
    case cold = "-r, cold"
    case single = "-r, one thread"
    case atomic = "--atomic"
    case verified = "--verify"

    var sizes: [Int] {
      switch self {
      case .tree, .archive: [1, 4, 16, 32, 64, 70, 100, 256, 1 << 10, 16 << 10, 256 << 10, 1 << 20]
      default: [4, 70, 256, 1 << 10, 256 << 10]
      }
    }

    var places: [Place] {
      switch self {
      case .tree, .archive: Place.all
      default: Place.all.filter { ["ext4", "xfs"].contains($0.target) && $0.kind == "ext4" }
      }
    }
  }

  /// The file systems of a source and of its copy.
  private struct Place {
    let kind: String
    let target: String
    var isAcross = true

    var name: String { isAcross ? "\(kind) to \(target)" : "within \(kind)" }

    static let all =
      ["ext4", "xfs", "btrfs", "tmpfs"].map { Place(kind: $0, target: $0, isAcross: false) }
      + [("ext4", "ext4"), ("ext4", "xfs"), ("xfs", "ext4"), ("ext4", "tmpfs"), ("tmpfs", "ext4")]
      .map { Place(kind: $0.0, target: $0.1) }
      + [Place(kind: "ext4", target: "overlay")]
  }

  private struct Cell {
    let way: Way
    let place: Place
    /// The size of a file, in KiB.
    let size: Int

    var files: Int { size >= 256 << 10 ? 1 : max(1, min(2_000, (64 << 10) / size)) }
    var megabytes: Int { max(1, files * size >> 10) }
    var name: String {
      let length = size >= 1 << 10 ? "\(size >> 10) MiB" : "\(size) KiB"
      return "\(files) × \(length), \(place.name), \(way.rawValue)"
    }
  }

  private struct Result {
    let cell: Cell
    let times: [[Double]]

    /// Returns the quotients of the times of another program and of `fastcp`, in pairs.
    func ratios(_ other: Int) -> [Double] { zip(times[other], times[0]).map { $0 / $1 } }
    var ratio: Double { median(times[1]) / median(times[0]) }
    /// Whether `fastcp` loses, in the median and in the best pair.
    var isLost: Bool { ratio < 0.97 && ratios(1).max() ?? 0 < 1 }

    var line: String {
      func text(_ value: Double) -> String { String(format: "%.2f", value) }
      let best = ratios(1).max() ?? 0
      let loop = median(times[2]) / median(times[0])
      let time = String(format: "%.0f", median(times[0]) * 1000)
      return "| \(cell.name) | \(text(ratio)) | \(text(best)) | \(text(loop)) | \(time) |"
    }
  }

  let programs: Programs
  let size: Size
  let say: (String) -> Void

  /// Measures the cells that the size of the run selects, and prints them.
  func measure(environment: [String: String], results: String?) throws {
    var numbers = SeededNumbers(state: programs.seed)
    var measured: [Result] = []
    for cell in cells(&numbers) {
      do {
        measured.append(try measure(cell, &numbers))
        if let line = measured.last?.line { say(line) }
      } catch let reason as Skipped {
        say("\(cell.name): skipped, \(reason)")
      }
    }
    let lost = measured.filter(\.isLost).sorted { $0.ratio < $1.ratio }
    let others = measured.filter { !$0.isLost }
    let text = """
      # Copies

      Of \(measured.count) cells \(lost.count) lose: their median is below 0.97, and no pair is
      above 1. Numbers are the time of the other program divided by that of `fastcp`.

      | files | median beside `cp` | best pair | beside a loop on one thread | ms |
      |---|---|---|---|---|
      \((lost + others).map(\.line).joined(separator: "\n"))

      """
    print(text)
    guard let results, size == .full else { return }
    try Data((text + "\n" + markdownTable(of: environment)).utf8)
      .write(to: URL(filePath: "\(results)/copies.md"))
  }

  /// Returns all cells, a sample of sixty, or six.
  private func cells(_ numbers: inout SeededNumbers) -> [Cell] {
    let all = Way.allCases.flatMap { way in
      way.places.flatMap { place in way.sizes.map { Cell(way: way, place: place, size: $0) } }
    }
    let count = size.count(smoke: 6, quick: 60, full: all.count)
    let small = size == .smoke ? all.filter { $0.size <= 1 << 10 } : all
    return Array(small.shuffled(using: &numbers).prefix(count))
  }

  private func measure(_ cell: Cell, _ numbers: inout SeededNumbers) throws -> Result {
    FreeMemory.makeRoom(megabytes: 4 * cell.megabytes + 1024)
    defer { FreeMemory.refill() }
    let isOnDisk = cell.way == .cold
    let images = isOnDisk ? programs.disk : FreshFileSystem.memory
    let gigabytes = 1 + 4 * cell.megabytes >> 10
    let origin = try FreshFileSystem(
      kind: cell.place.kind,
      gigabytes: gigabytes,
      images: images
    )
    let source = "\(origin.path)/source"
    try make(cell, source)
    var times: [[Double]] = [[], [], []]
    for round in 0..<size.count(smoke: 1, quick: 3, full: 7) {
      for program in [0, 1, 2].shuffled(using: &numbers) {
        // Within one file system each copy has a name of its own.
        let target =
          cell.place.isAcross
          ? try FreshFileSystem(kind: cell.place.target, gigabytes: gigabytes, images: images) : nil
        let copy = "\((target ?? origin).path)/copy"
        try run("sync", "-f", origin.path)
        if isOnDisk { try dropCaches(afterWriting: programs.disk) }
        times[program].append(try seconds(of: program, cell, source, copy))
        if round == 0 { try run("diff", "-r", source, copy) }
        if target == nil { try run("rm", "-rf", copy) }
      }
    }
    return withExtendedLifetime(origin) { Result(cell: cell, times: times) }
  }

  /// Writes the files of a cell, with bytes that do not repeat.
  private func make(_ cell: Cell, _ source: String) throws {
    try run("mkdir", source)
    let block = "\(source)/0"
    try RandomFile.write(block, megabytes: max(1, cell.size >> 10))
    if cell.size < 1 << 10 { try run("truncate", "-s", "\(cell.size)K", block) }
    for number in 1..<max(cell.files, 1) {
      try FileManager.default.copyBytes(block, "\(source)/\(number)")
    }
    try run("sync", "-f", source)
  }

  /// Times one program: `fastcp`, `cp` or the loop.
  private func seconds(
    of program: Int,
    _ cell: Cell,
    _ source: String,
    _ copy: String
  ) throws -> Double {
    let cp = cell.way == .archive ? Copier.cp(["-a"]) : .cp(["-r"])
    let copier: Copier =
      switch program {
      case 0: .fastcp(options(of: cell.way))
      case 1: cp
      default: .loop(threads: 1)
      }
    let isWhole = program == 0 || ![.atomic, .verified].contains(cell.way)
    let place = isWhole ? copy : "\(copy).new"
    var timing = try time(copier.command(from: source, to: place, programs: programs.directory))
    if isWhole { return timing.duration / .seconds(1) }
    // The same promise by programs that are combined.
    if cell.way == .atomic {
      timing = timing + (try time(["mv", place, copy]))
    } else {
      let script = "sync -f \"$1\"; echo 1 >/proc/sys/vm/drop_caches; diff -r \"$0\" \"$1\""
      timing = timing + (try time(["sh", "-c", script, source, place]))
      try run("mv", place, copy)
    }
    return timing.duration / .seconds(1)
  }

  private func options(of way: Way) -> [String] {
    switch way {
    case .tree, .cold: ["-r"]
    case .archive: ["-a"]
    case .single: ["-r", "--jobs=1"]
    case .atomic: ["-r", "--atomic"]
    case .verified: ["-r", "--verify"]
    }
  }
}

extension FileManager {
  /// Copies the bytes of a file, without sharing its blocks.
  fileprivate func copyBytes(_ source: String, _ copy: String) throws {
    try Data(contentsOf: URL(filePath: source)).write(to: URL(filePath: copy))
  }
}
