import Dispatch
import Measure

/// Dispatch's buffers. Their subscript is left out: each use of it leaks the whole object.
enum DispatchBuffers {
  static func appendBytes(_ count: Int) throws -> Timing {
    let bytes = [UInt8](repeating: 1, count: 64)
    return try timed(expecting: 64 * count) {
      var data = DispatchData.empty
      bytes.withUnsafeBytes { bytes in
        for _ in 0..<count { data.append(bytes) }
      }
      return data.count
    }
  }

  static func appendBuffers(_ count: Int) throws -> Timing {
    let piece = data(regions: 1, of: 64)
    return try timed(expecting: 64 * count) {
      var data = DispatchData.empty
      for _ in 0..<count { data.append(piece) }
      return data.count
    }
  }

  static func cut(_ data: DispatchData) throws -> Timing {
    var places = Places(below: data.count / 2)
    return try timed(expecting: Buffers.accesses / 100 * 640) {
      var sum = 0
      for _ in 0..<Buffers.accesses / 100 {
        let start = places.next()
        sum += data.subdata(in: start..<start + 640).count
      }
      return sum
    }
  }

  /// Creates data of ones.
  static func data(regions: Int, of size: Int) -> DispatchData {
    let bytes = [UInt8](repeating: 1, count: size)
    return (0..<regions).reduce(into: DispatchData.empty) { data, _ in
      data.append(bytes.withUnsafeBytes { DispatchData(bytes: $0) })
    }
  }
}
