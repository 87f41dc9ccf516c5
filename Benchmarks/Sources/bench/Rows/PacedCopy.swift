import Foundation
import Measure
import Synchronization

/// B28: small writes of another process during a large copy to the same disk.
enum PacedCopy {
  static func rows(_ programs: Programs) -> [Row] {
    [
      Row(
        id: "B28",
        work: "99.9th percentile of a write of 4 KiB with fsync (the longest of fewer than 1,000) "
          + "while fastcp --paced copies 20 GiB (quick: 2 GiB) on the same ext4 in an image on a "
          + "disk, until all is written",
        rival: "the same beside cp",
        goal: 5,
        unit: "ms",
        variation: .unprepared
      ) { size in
        let megabytes = size.count(smoke: 64, quick: 2 << 10, full: 20 << 10)
        let fastcp = ["\(programs.directory)/fastcp", "--paced", "--reflink=never"]
        return Sides(
          ours: { try tail(beside: fastcp, megabytes, programs.disk) },
          theirs: { try tail(beside: ["cp", "--reflink=never"], megabytes, programs.disk) }
        )
      }
    ]
  }

  /// Returns the percentile in milliseconds.
  private static func tail(beside copier: [String], _ megabytes: Int, _ disk: String) throws
    -> Double
  {
    let system = try FreshFileSystem(gigabytes: 2 + 3 * megabytes / 1024, images: disk)
    let (source, copy) = ("\(system.path)/source", "\(system.path)/copy")
    try RandomFile.write(source, megabytes: megabytes)
    try run("sync", "-f", system.path)
    try dropCaches(afterWriting: disk)
    let writes = try FlushedWrites(to: "\(system.path)/journal")
    let times = try writes.times {
      try run(copier + [source, copy])
      try run("sync", "-f", copy)
    }
    return withExtendedLifetime(system) { Tail(nanoseconds: times).p999 / 1000 }
  }
}

/// A thread that writes 4 KiB over and over, each time with fsync.
private final class FlushedWrites: Sendable {
  private let descriptor: Int32
  private let isOver = Atomic(false)

  init(to path: String) throws {
    descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw CommandFailure(description: "\(path): error \(errno)") }
  }

  /// Returns the nanoseconds of all writes that begin during some work, and closes the file.
  func times(_ work: () throws -> Void) throws -> [UInt64] {
    let ended = DispatchSemaphore(value: 0)
    let found = Mutex<Result<[UInt64], CommandFailure>>(.success([]))
    Thread.detachNewThread { [self] in
      let times = writeUntilOver()
      // The file system can be unmounted from now on.
      close(descriptor)
      found.withLock { $0 = times }
      ended.signal()
    }
    let outcome = Result { try work() }
    isOver.store(true, ordering: .relaxed)
    ended.wait()
    try outcome.get()
    return try found.withLock { try $0.get() }
  }

  private func writeUntilOver() -> Result<[UInt64], CommandFailure> {
    let block = [UInt8](repeating: 7, count: 4096)
    var times: [UInt64] = []
    while !isOver.load(ordering: .relaxed) {
      let start = Latencies.now()
      // A program that keeps a journal, such as a database or an editor.
      guard pwrite(descriptor, block, block.count, off_t(times.count % 1024 * block.count)) > 0,
        fsync(descriptor) == 0
      else { return .failure(CommandFailure(description: "fsync: error \(errno)")) }
      times.append(Latencies.now() - start)
      usleep(5_000)
    }
    return .success(times)
  }
}
