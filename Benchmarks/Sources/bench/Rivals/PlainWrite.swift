import Foundation

/// The floor for writing: `pwrite` in a loop.
struct PlainWrite {
  let bytes: PageBytes

  /// Writes steps of 1 MiB in order, out of the one buffer.
  func stream(_ descriptor: Int32, count: Int) -> Int {
    var written = 0
    while written < count {
      let start = written % bytes.count
      let length = min(1 << 20, bytes.count - start)
      let result = pwrite(descriptor, bytes.start + start, length, off_t(written))
      if result <= 0 { break }
      written += result
    }
    return written
  }

  /// Writes the whole buffer at places all over a file, one after the other.
  func random(_ descriptor: Int32, count: Int) -> Int {
    let blocks = count / bytes.count
    var written = 0
    for index in 0..<blocks {
      let offset = StreamWrite.offset(of: index, blocks: blocks)
      let result = pwrite(descriptor, bytes.start, bytes.count, off_t(offset))
      if result <= 0 { break }
      written += result
    }
    return written
  }
}

/// Bytes that start a page, where the kernel copies them fastest.
final class PageBytes {
  let start: UnsafeMutableRawPointer
  let count: Int

  init(count: Int) {
    start = .allocate(byteCount: count, alignment: 4096)
    start.initializeMemory(as: UInt8.self, repeating: 7, count: count)
    self.count = count
  }

  deinit {
    start.deallocate()
  }
}
