import DataRegions
import Dispatch

extension DispatchData {
  /// The sizes of the regions, in their order.
  var regionSizes: [Int] {
    var sizes: [Int] = []
    unsafe enumerateBytes { bytes, _, _ in sizes.append(bytes.count) }
    return sizes
  }

  /// Shows one region and keeps it until the last use.
  init(_ region: DataBuffer.Region, releasingOn queue: DispatchQueue?) {
    self = unsafe region.withUnsafeBytes { bytes in
      unsafe DispatchData(
        bytesNoCopy: bytes,
        deallocator: .custom(queue) { withExtendedLifetime(region) {} }
      )
    }
  }
}

extension DataBuffer {
  /// Shows the bytes of a data at the end, and keeps all of the data with each region.
  mutating func append(showing data: DispatchData) {
    // What the data refers to is immutable and counts its references atomically.
    nonisolated(unsafe) let kept = data
    unsafe data.enumerateBytes { bytes, _, _ in
      unsafe append(
        DataBuffer(
          bytesNoCopy: UnsafeRawBufferPointer(bytes),
          deallocator: .custom { _ in unsafe withExtendedLifetime(kept) {} }
        )
      )
    }
  }
}
