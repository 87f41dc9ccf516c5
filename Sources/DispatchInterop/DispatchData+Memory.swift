import DataRegions
import Dispatch

extension DispatchData {
  /// The sizes of the regions, in order.
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
  /// Appends data without a copy, and keeps all of it with each region.
  mutating func append(showing data: DispatchData) {
    // The object behind the data is immutable and counts its references atomically.
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
