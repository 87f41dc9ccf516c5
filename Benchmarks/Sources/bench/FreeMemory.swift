import Foundation
import Synchronization

/// What of the machine's memory is free when something is measured.
///
/// The host of a virtual machine may take back what stays free for a few seconds, and give it again
/// at the first touch, which takes ten times as long as the copy of a page. Where that is so, this
/// process has nearly all memory in use, and what is measured finds room that was in use a moment
/// before, whichever side it is: there is hardly any other.
enum FreeMemory {
  private struct Reserve {
    var chunks: [UInt] = []
    /// Whether the first touch of memory is slow, once that is known.
    var isNeeded: Bool?
  }

  private static let chunkLength = 64 << 20
  /// What is always free, for the system and for programs that start; with a third of it the system
  /// ran out of memory while a disk was written to.
  private static let slack = 512 << 20
  private static let reserve = Mutex(Reserve())

  /// Puts in use what is free.
  static func refill() {
    reserve.withLock { reserve in
      if reserve.isNeeded == nil { reserve.isNeeded = isFirstTouchSlow }
      guard reserve.isNeeded == true else { return }
      while freeBytes > slack + chunkLength, let chunk = makeChunk() {
        reserve.chunks.append(chunk)
      }
    }
  }

  /// Leaves so much to whoever comes next.
  static func makeRoom(megabytes: Int) {
    reserve.withLock { reserve in
      let count = (megabytes << 20) / chunkLength
      for chunk in reserve.chunks.suffix(count) { drop(chunk) }
      reserve.chunks = reserve.chunks.dropLast(count)
    }
  }

  private static var freeBytes: Int { sysconf(Int32(_SC_AVPHYS_PAGES)) * 4096 }

  /// Whether a GiB of free memory takes more than a second to be used; zeroing it takes a fifth.
  private static var isFirstTouchSlow: Bool {
    guard freeBytes > 16 * chunkLength else { return false }
    let clock = ContinuousClock()
    var slowest = Duration.zero
    var chunks: [UInt] = []
    for _ in 0..<8 {
      let start = clock.now
      if let chunk = makeChunk() { chunks.append(chunk) }
      slowest = max(slowest, clock.now - start)
    }
    chunks.forEach(drop)
    return slowest > .seconds(1) / (1 << 30 / chunkLength)
  }

  private static func makeChunk() -> UInt? {
    let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE
    let start = mmap(nil, chunkLength, PROT_READ | PROT_WRITE, flags, -1, 0)
    return start == MAP_FAILED ? nil : start.map { UInt(bitPattern: $0) }
  }

  private static func drop(_ chunk: UInt) {
    if let start = UnsafeMutableRawPointer(bitPattern: chunk) { munmap(start, chunkLength) }
  }
}
