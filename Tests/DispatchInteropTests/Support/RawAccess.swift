import DispatchInterop

/// A piece of memory that holds bytes of a whole.
struct Place: Equatable {
  let address: UInt
  let offset: Int
  let count: Int
}

extension DataBuffer {
  /// Where the bytes lie.
  var places: [Place] {
    regions.map {
      Place(address: unsafe UInt(bitPattern: $0.start), offset: $0.offset, count: $0.count)
    }
  }

  /// One region whose end is counted.
  static func counted(_ bytes: [UInt8], by ends: Ends) -> DataBuffer {
    ending(bytes) { ends.countOne() }
  }

  /// One region that calls a function at its end.
  static func ending(_ bytes: [UInt8], _ end: @escaping @Sendable () -> Void) -> DataBuffer {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    unsafe memory.copyBytes(from: bytes)
    return unsafe DataBuffer(
      bytesNoCopy: UnsafeRawBufferPointer(memory),
      deallocator: .custom { memory in
        unsafe memory.deallocate()
        end()
      }
    )
  }
}

extension DispatchData {
  /// Where the bytes lie.
  var places: [Place] {
    var places: [Place] = []
    unsafe enumerateBytes { bytes, offset, _ in
      places.append(
        Place(
          address: UInt(bitPattern: bytes.baseAddress),
          offset: offset,
          count: bytes.count
        )
      )
    }
    return places
  }

  /// The bytes, region by region.
  var bytes: [UInt8] {
    var all: [UInt8] = []
    unsafe enumerateBytes { bytes, _, _ in unsafe all.append(contentsOf: bytes) }
    return all
  }

  /// Copies bytes into one region.
  static func copying(_ bytes: [UInt8]) -> DispatchData {
    unsafe bytes.withUnsafeBytes { unsafe DispatchData(bytes: $0) }
  }

  /// One region whose end is counted, on a queue.
  static func counted(_ bytes: [UInt8], on queue: DispatchQueue, by ends: Ends) -> DispatchData {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    unsafe memory.copyBytes(from: bytes)
    nonisolated(unsafe) let given = UnsafeRawBufferPointer(memory)
    return unsafe DispatchData(
      bytesNoCopy: given,
      deallocator: .custom(queue) {
        unsafe given.deallocate()
        ends.countOne()
      }
    )
  }
}
