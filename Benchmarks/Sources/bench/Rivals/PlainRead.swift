import Foundation

/// The floor for reading: `pread` in a loop.
enum PlainRead {
  /// Reads a file through sixteen buffers of 1 MiB in turn, as a program must that keeps what it
  /// reads for a while; one hot buffer would stay in the processor's cache.
  static func stream(path: String, expecting count: Int) throws -> Duration {
    let step = 1 << 20
    let buffers = UnsafeMutableRawPointer.allocate(byteCount: 16 * step, alignment: 4096)
    defer { buffers.deallocate() }
    // The pages exist before the clock starts, as a pool's do.
    buffers.initializeMemory(as: UInt8.self, repeating: 0, count: 16 * step)
    return try timed(path: path, expecting: count) { descriptor in
      var seen = 0
      var turn = 0
      while true {
        let read = pread(descriptor, buffers + turn * step, step, off_t(seen))
        if read <= 0 { return seen }
        seen += read
        turn = (turn + 1) % 16
      }
    }
  }
}
