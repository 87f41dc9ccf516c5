import Dispatch
import Foundation
import IOChannels
import Measure

/// B6: a file is copied by a program that reads and writes it through channels.
enum ChannelCopy {
  static let rows = [
    row("B6.dispatch", "DispatchIO, pieces of 1 MiB, 16 MiB kept at most", goal: 2.5) {
      source,
      target in
      try Timing.of { try dispatch(source, target) }.1
    },
    row("B6.cp", "cp --reflink=never", goal: 1.2) {
      try time(["cp", "--reflink=never", $0, $1])
    },
    Row(
      bound: 44,
      unit: "MiB",
      id: "B6.memory",
      work: "most memory of a process that copies 1 GiB through channels",
      rival: "the bound of 44 MiB"
    ) { _ in
      try FreshFileSystem.needRoot()
      FreeMemory.makeRoom(megabytes: 6 << 10)
      return try Turn.copyMemory.inNewProcess()
    },
  ]

  /// The most bytes between reading and writing.
  private static let keptBytes = 16 << 20

  private static func row(
    _ id: String,
    _ rival: String,
    goal: Double,
    _ theirs: @escaping @Sendable (_ source: String, _ target: String) throws -> Timing
  ) -> Row {
    Row(
      id: id,
      work: "copy of a file of 1 GiB (quick: 128 MiB) through channels, cached on ext4",
      rival: rival,
      goal: goal,
      variation: .large
    ) { size in
      let megabytes = size.count(quick: 128, full: 1024)
      return Sides(
        ours: {
          try copied(megabytes) { source, target in try Timing.of { try ours(source, target) }.1 }
        },
        theirs: { try copied(megabytes, with: theirs) }
      )
    }
  }

  /// Times one copy on a new file system.
  private static func copied(
    _ megabytes: Int,
    with copy: (_ source: String, _ target: String) throws -> Timing
  ) throws -> Timing {
    // After the file, whose memory is free then.
    defer { FreeMemory.refill() }
    return try copiedOnce(megabytes, with: copy)
  }

  private static func copiedOnce(
    _ megabytes: Int,
    with copy: (_ source: String, _ target: String) throws -> Timing
  ) throws -> Timing {
    FreeMemory.makeRoom(megabytes: 768 + 2 * megabytes)
    let file = try CachedFile(megabytes: megabytes, gigabytes: 10)
    FreeMemory.renewRoom(megabytes: 768 + 2 * megabytes)
    let target = file.path + ".copy"
    let timing = try copy(file.path, target)
    try run("cmp", file.path, target)
    return timing
  }

  private static func ours(_ source: String, _ target: String) throws {
    try waitForTask {
      try await IOChannel.withOpen(BytePath(source)) { input in
        try await IOChannel.withOpen(BytePath(target), [.writeOnly, .create]) { output in
          _ = try await output.writeAll(input.chunks())
        }
      }
    }
  }

  /// Copies and returns the most memory that the process had, in MiB.
  static func memoryOfCopy() throws -> Double {
    // The peak includes the harness itself.
    let file = try CachedFile(megabytes: 1024, gigabytes: 10)
    try ours(file.path, file.path + ".copy")
    try run("cmp", file.path, file.path + ".copy")
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
    return (Double(peak.filter(\.isNumber)) ?? 0) / 1024
  }

  /// Hands each delivery to the writing channel; a semaphore bounds what is between the two.
  private static func dispatch(_ source: String, _ target: String) throws {
    let input = open(source, O_RDONLY | O_CLOEXEC)
    let output = open(target, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    defer {
      close(input)
      close(output)
    }
    let queue = DispatchQueue(label: "copy")
    let end = DispatchGroup()
    end.enter()
    end.enter()
    let room = DispatchSemaphore(value: keptBytes >> 20)
    let from = DispatchIO(type: .stream, fileDescriptor: input, queue: queue) { _ in end.leave() }
    let to = DispatchIO(type: .stream, fileDescriptor: output, queue: queue) { _ in end.leave() }
    from.setLimit(highWater: 1 << 20)
    from.read(offset: 0, length: .max, queue: queue) { isDone, data, _ in
      if let data, !data.isEmpty {
        room.wait()
        to.write(offset: 0, data: data, queue: .global()) { isDone, _, _ in
          if isDone { room.signal() }
        }
      }
      guard isDone else { return }
      from.close()
      to.close()
    }
    end.wait()
  }
}
