import Foundation
import Measure

/// A file that is written over again and again; its pages are in memory and its blocks on the disk.
final class WrittenFile {
  let path: String
  let byteCount: Int
  private let file: CachedFile

  init(megabytes: Int, on kind: String = "ext4") throws {
    file = try .shared(megabytes: megabytes, on: kind)
    path = file.path
    byteCount = file.byteCount
  }

  /// Times writes over the file, after the system has written all pages of earlier runs.
  func timed(_ work: (Int32) throws -> Int) throws -> Timing {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw CommandFailure(description: "\(path): error \(errno)") }
    defer { close(descriptor) }
    fsync(descriptor)
    let (written, timing) = try Timing.of { try work(descriptor) }
    guard written == byteCount else {
      throw CommandFailure(description: "\(path): \(written) of \(byteCount) bytes written")
    }
    return timing
  }
}
