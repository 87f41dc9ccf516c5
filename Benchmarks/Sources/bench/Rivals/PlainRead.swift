import Foundation
import Measure

/// The floor for reading: `pread` in a loop.
enum PlainRead {
  /// Reads a file through sixteen buffers of 1 MiB in turn. A program that keeps the bytes for a
  /// while must do so; one hot buffer would stay in the processor's cache.
  static func stream(path: String, expecting count: Int) throws -> Timing {
    try stream(path: path, expecting: count, buffers: 16)
  }

  /// Reads a file through one buffer, as fio does.
  static func check(path: String, count: Int) throws {
    let reads = Reads(
      path: path,
      size: 1 << 20,
      count: count >> 20,
      span: count,
      isRandom: false
    )
    try reads.check("the loop of pread", beside: "psync") {
      try stream(path: path, expecting: count, buffers: 1).duration / .seconds(1)
    }
  }

  private static func stream(
    path: String,
    expecting count: Int,
    buffers number: Int
  ) throws -> Timing {
    let step = 1 << 20
    let buffers = UnsafeMutableRawPointer.allocate(byteCount: number * step, alignment: 4096)
    defer { buffers.deallocate() }
    // The pages exist before the clock starts, as a pool's do.
    buffers.initializeMemory(as: UInt8.self, repeating: 0, count: number * step)
    return try timed(path: path, expecting: count) { descriptor in
      var seen = 0
      var turn = 0
      while true {
        let read = pread(descriptor, buffers + turn * step, step, off_t(seen))
        if read <= 0 { return seen }
        seen += read
        turn = (turn + 1) % number
      }
    }
  }
}
