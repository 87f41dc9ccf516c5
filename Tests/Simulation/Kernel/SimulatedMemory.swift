import DataRegions
import Glibc
import IOChannelsEngine

/// Memory of requests as the simulated kernel uses it.
enum SimulatedMemory {
  /// What the kernel leaves in memory that it has not written yet.
  static let mark: UInt8 = 0xDB

  /// Fills a part of a buffer with the mark.
  static func mark(_ buffer: PooledBuffer, _ range: Range<Int>) {
    unsafe (buffer.start + range.lowerBound)
      .initializeMemory(as: UInt8.self, repeating: mark, count: range.count)
  }

  /// Whether a part of a buffer still has the mark where it begins, ends and in the middle.
  static func isMarked(_ buffer: PooledBuffer, _ range: Range<Int>) -> Bool {
    [range.lowerBound, (range.lowerBound + range.upperBound) / 2, range.upperBound - 1].allSatisfy {
      unsafe buffer.start.load(fromByteOffset: $0, as: UInt8.self) == mark
    }
  }

  /// Copies bytes to the start of a part of a buffer.
  static func copy(_ bytes: ArraySlice<UInt8>, to buffer: PooledBuffer, at offset: Int) {
    unsafe bytes.withUnsafeBytes { source in
      guard let start = source.baseAddress else { return }
      unsafe (buffer.start + offset).copyMemory(from: start, byteCount: source.count)
    }
  }

  /// Writes the first `count` bytes of a value into an array.
  static func copy(_ data: DataBuffer, count: Int, to bytes: inout [UInt8], at offset: Int) {
    unsafe bytes.withUnsafeMutableBytes { target in
      for region in data.regions where region.offset < count {
        let part = min(region.count, count - region.offset)
        unsafe region.bytes.withUnsafeBytes { source in
          let place = offset + region.offset
          unsafe UnsafeMutableRawBufferPointer(rebasing: target[place..<place + part])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[..<part]))
        }
      }
    }
  }

  /// Whether a value has the bytes of an array from an offset on.
  static func equal(_ data: DataBuffer, _ bytes: [UInt8], at offset: Int) -> Bool {
    guard offset >= 0, offset + data.count <= bytes.count else { return false }
    return unsafe bytes.withUnsafeBytes { expected in
      guard let start = expected.baseAddress else { return data.isEmpty }
      return data.regions.allSatisfy { region in
        unsafe region.bytes.withUnsafeBytes { actual in
          guard let address = actual.baseAddress else { return true }
          return unsafe memcmp(address, start + offset + region.offset, actual.count) == 0
        }
      }
    }
  }
}
