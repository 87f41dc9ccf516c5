import Foundation
import Measure

/// A file whose pages are all in memory.
final class CachedFile {
  let path: String
  let byteCount: Int
  private let system: FreshFileSystem

  /// The latest file, while it is in use; the harness creates files on one thread.
  private nonisolated(unsafe) static weak var latest: CachedFile?

  /// Returns the file in use, if it has this length, else a new one: comparisons need the same
  /// pages, because the sizes of pages are chance.
  static func shared(megabytes: Int, on kind: String = "ext4") throws -> CachedFile {
    if let latest, latest.byteCount == megabytes << 20, latest.system.kind == kind { return latest }
    let file = try CachedFile(megabytes: megabytes, on: kind)
    latest = file
    return file
  }

  /// Creates it on a new file system that has room for it and the given size beside it.
  init(megabytes: Int, on kind: String = "ext4", gigabytes: Int = 2) throws {
    system = try FreshFileSystem(kind: kind, gigabytes: gigabytes)
    path = "\(system.path)/file"
    byteCount = megabytes << 20
    try RandomFile.write(path, megabytes: megabytes)
    try run("sync")
    _ = try PlainRead.stream(path: path, expecting: byteCount)
  }
}

/// Opens, times the work on the descriptor, closes; the work returns how many bytes it saw.
func timed(
  path: String,
  _ flags: Int32 = 0,
  expecting count: Int,
  _ work: (Int32) throws -> Int
) throws -> Timing {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC | flags)
  guard descriptor >= 0 else { throw CommandFailure(description: "\(path): error \(errno)") }
  defer { close(descriptor) }
  let (seen, timing) = try Timing.of { try work(descriptor) }
  guard seen == count else {
    throw CommandFailure(description: "\(path): \(seen) of \(count) bytes read")
  }
  return timing
}
