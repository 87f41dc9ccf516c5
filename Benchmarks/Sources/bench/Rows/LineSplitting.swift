import Foundation
import IOChannels
import Measure

/// B24: a file of lines, which a task takes one after the other.
enum LineSplitting {
  static let rows = [
    Row(
      id: "B24",
      work: "lines of a file of 1 GiB (quick: 128 MiB), of 1 to 120 bytes, cached on ext4",
      rival: "getline",
      goal: 0.8
    ) { size in
      let file = try LineFile(megabytes: size.count(quick: 128, full: 1024))
      return Sides(
        ours: { try file.timed(lines) },
        theirs: { try file.timed(linesOfLibrary) }
      )
    }
  ]

  private static func lines(of path: String) throws -> Int {
    try waitForTask {
      try await IOChannel.withOpen(path) { file in
        var count = 0
        for try await line in file.lines where !line.isEmpty { count += 1 }
        return count
      }
    }
  }

  private static func linesOfLibrary(of path: String) throws -> Int {
    guard let file = fopen(path, "re") else {
      throw CommandFailure(description: "\(path): error \(errno)")
    }
    defer { fclose(file) }
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(line) }
    var count = 0
    // A line feed is part of the line.
    while case let length = getline(&line, &capacity, file), length > 0 {
      if length > 1 { count += 1 }
    }
    return count
  }
}

/// A file of lines whose pages are all in memory.
private final class LineFile {
  private let path: String
  private let lineCount: Int
  private let system: FreshFileSystem

  init(megabytes: Int) throws {
    system = try FreshFileSystem(gigabytes: 2)
    path = "\(system.path)/lines"
    var numbers = SeededNumbers(state: 0)
    var block: [UInt8] = []
    var linesOfBlock = 0
    while block.count < 1 << 20 {
      let length = min(Int(numbers.next() % 120) + 1, (1 << 20) - 1 - block.count)
      // The last line of a block may have no byte.
      if length > 0 { linesOfBlock += 1 }
      block += [UInt8](repeating: 0x61, count: max(length, 0)) + [0x0a]
    }
    lineCount = linesOfBlock * megabytes
    let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw CommandFailure(description: "\(path): error \(errno)") }
    defer { close(file) }
    for _ in 0..<megabytes {
      guard write(file, block, block.count) == block.count else {
        throw CommandFailure(description: "\(path): error \(errno)")
      }
    }
    try run("sync", path)
  }

  /// Times a way, which returns the number of lines that are not empty.
  func timed(_ way: (String) throws -> Int) throws -> Timing {
    let (seen, timing) = try Timing.of { try way(path) }
    guard seen == lineCount else {
      throw CommandFailure(description: "\(seen) of \(lineCount) lines were seen")
    }
    return timing
  }
}
