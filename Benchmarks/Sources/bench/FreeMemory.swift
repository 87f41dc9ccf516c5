import Foundation
import Synchronization

/// The free memory of the machine during a measurement.
///
/// The host of a virtual machine may take back what stays free for a few seconds, and give it again
/// at the first touch, which takes ten times as long as the copy of a page. Where that is so, this
/// process has nearly all memory in use, and what is measured finds room that was in use a moment
/// before, whichever side it is: there is hardly any other. How far programs may write ahead of a
/// disk stays as it was with all of it free.
///
/// To take all memory lasts a minute or two, so smoke runs and quick runs of the rows only use as
/// much as a copy needs, and free it, right before the copy, which mostly finds that then.
enum FreeMemory {
  private struct Reserve {
    var chunks: [UInt] = []
    /// Whether the first touch of memory is slow, once that is known.
    var isNeeded: Bool?
    /// Whether nothing is held and room only touched.
    var isTouching = false
  }

  private static let chunkLength = 64 << 20
  /// The memory that stays free for the system and for new programs; with a third of it the system
  /// ran out of memory during writes to a disk.
  private static let slack = 512 << 20
  private static let reserve = Mutex(Reserve())

  /// Holds nothing from now on.
  static func onlyTouch() { reserve.withLock { $0.isTouching = true } }

  /// Puts in use what is free.
  static func refill() {
    reserve.withLock { reserve in
      if reserve.isTouching { return }
      if reserve.isNeeded == nil {
        reserve.isNeeded = isFirstTouchSlow
        if reserve.isNeeded == true { WriteLimits.keep(freeBytes: freeBytes) }
      }
      guard reserve.isNeeded == true else { return }
      while freeBytes > slack + chunkLength, let chunk = makeChunk() {
        reserve.chunks.append(chunk)
      }
    }
  }

  /// The description beside the results; nil if no row needed free memory.
  static var description: String? {
    reserve.withLock { reserve in
      switch reserve.isNeeded {
      case _ where reserve.isTouching: "used and freed right before each copy, as much as it needs"
      case nil: nil
      case false?: "left free"
      case true?: "in use but for what a row needs: the first touch is slow here"
      }
    }
  }

  /// Frees so much memory.
  static func makeRoom(megabytes: Int) {
    reserve.withLock { reserve in
      let count = (megabytes << 20) / chunkLength
      for chunk in reserve.chunks.suffix(count) { drop(chunk) }
      reserve.chunks = reserve.chunks.dropLast(count)
    }
  }

  /// Leaves so much to what comes next, of which all was in use a moment before.
  static func renewRoom(megabytes: Int) {
    if reserve.withLock({ $0.isTouching }) {
      var chunks: [UInt] = []
      while chunks.count < (megabytes << 20) / chunkLength, freeBytes > slack + chunkLength,
        let chunk = makeChunk()
      {
        chunks.append(chunk)
      }
      chunks.forEach(drop)
    } else {
      refill()
      makeRoom(megabytes: megabytes)
    }
  }

  /// Leaves so much, and several GiB more, free for so many seconds: the host has taken it back
  /// when the next program comes, which has to wait for it.
  static func leave(megabytes: Int, for seconds: Double) {
    let all = megabytes + 4096
    if reserve.withLock({ $0.isTouching }) {
      renewRoom(megabytes: all)
    } else {
      makeRoom(megabytes: all)
    }
    Thread.sleep(forTimeInterval: seconds)
  }

  private static var freeBytes: Int { sysconf(Int32(_SC_AVPHYS_PAGES)) * 4096 }

  /// Whether a GiB of free memory takes more than half a second to be used; zeroing takes a fifth.
  ///
  /// Recently used memory comes first, so the search continues until some is slow.
  private static var isFirstTouchSlow: Bool {
    let clock = ContinuousClock()
    var slow = 0
    var chunks: [UInt] = []
    defer { chunks.forEach(drop) }
    while freeBytes > slack + chunkLength, slow < 8 {
      let start = clock.now
      guard let chunk = makeChunk() else { break }
      chunks.append(chunk)
      if clock.now - start > .milliseconds(500) / (1 << 30 / chunkLength) { slow += 1 }
    }
    return slow == 8
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
