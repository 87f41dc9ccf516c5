import Foundation
import Synchronization

/// The number of dirty bytes from which the kernel writes back, and from which it makes writers
/// wait.
///
/// Both are shares of the memory that is free: with nearly all of it in use a copy of some hundred
/// megabytes would wait for a disk that it has nothing to do with on any other machine.
enum WriteLimits {
  private static let directory = "/proc/sys/vm"
  private static let names = ["dirty_background", "dirty"]
  private static let shares = Mutex<[String]>([])

  /// Sets both to what they are with so much free memory, until the end of the process; one that is
  /// killed leaves them so.
  static func keep(freeBytes: Int) {
    shares.withLock { shares in
      guard shares.isEmpty, let found = try? names.map({ try read("\($0)_ratio") }) else { return }
      // The limits are set in bytes already.
      guard !found.contains("0") else { return }
      shares = found
      for (name, share) in zip(names, found) {
        write("\((Int(share) ?? 10) * (freeBytes / 100))", to: "\(name)_bytes")
      }
    }
    atexit { WriteLimits.restore() }
  }

  private static func restore() {
    shares.withLock { shares in
      for (name, share) in zip(names, shares) { write(share, to: "\(name)_ratio") }
      shares = []
    }
  }

  private static func read(_ name: String) throws -> String {
    try String(contentsOfFile: "\(directory)/\(name)", encoding: .ascii)
      .trimmingCharacters(in: .newlines)
  }

  private static func write(_ text: String, to name: String) {
    try? text.write(toFile: "\(directory)/\(name)", atomically: false, encoding: .ascii)
  }
}
