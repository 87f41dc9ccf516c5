import Dispatch
import IOChannels
import Measure

/// B11: buffers of many regions, beside `DispatchData`, flat arrays and limits.
enum Buffers {
  static let rows = [
    append(
      "B11.append",
      "appends of 64 bytes that are copied",
      appendBytes,
      DispatchBuffers.appendBytes
    ),
    append(
      "B11.append-buffers",
      "appends of a buffer of 64 bytes",
      appendBuffers,
      DispatchBuffers.appendBuffers
    ),
    byte(
      "B11.byte",
      "bytes in the middle hundredth of 100,000 regions",
      3_168_000..<3_232_000,
      0.7
    ),
    byte("B11.byte-far", "bytes in all of 100,000 regions", 0..<6_400_000, 0.2),
    Row(
      id: "B11.subdata",
      work: "parts anywhere in a buffer of 10,000 regions",
      rival: "DispatchData",
      goal: 1.3
    ) { _ in
      let bytes = buffer(regions: 10_000, of: 64)
      let rival = DispatchBuffers.data(regions: 10_000, of: 64)
      return Sides(
        ours: { try cut(bytes) },
        theirs: { try DispatchBuffers.cut(rival) }
      )
    },
    walk("B11.walk", regions: 4_096, of: 4_096),
    Row(
      id: "B11.walk-small",
      work: "a walk over 100,000 regions of 64 bytes that takes their sizes, the fastest of 20",
      rival: "3 ns a region",
      goal: 1
    ) { _ in
      let bytes = buffer(regions: 100_000, of: 64)
      return Sides(
        ours: { try walkSizes(of: bytes) },
        theirs: { 3e-9 * 100_000 }
      )
    },
  ]

  static let accesses = 100_000

  private static func append(
    _ id: String,
    _ work: String,
    _ ours: @escaping @Sendable (Int) throws -> Timing,
    _ theirs: @escaping @Sendable (Int) throws -> Timing
  ) -> Row {
    Row(
      id: id,
      work: "\(work), 100,000 of them (quick: 10,000)",
      rival: "DispatchData",
      goal: 1000,
      // A turn of the other tool takes a minute in full runs.
      variation: .unprepared
    ) { size in
      let count = size.count(quick: 10_000, full: 100_000)
      return Sides(ours: { try ours(count) }, theirs: { try theirs(count) })
    }
  }

  /// Creates a row of a search in the middle hundredth, where the bytes lie as close together as
  /// those of the other tool. So only the steps of a search count. A search that is linear in the
  /// regions would reach 0.01.
  private static func byte(_ id: String, _ work: String, _ range: Range<Int>, _ goal: Double) -> Row
  {
    Row(id: id, work: "single \(work)", rival: "all of 1,000 regions", goal: goal) { _ in
      let (large, small) = (buffer(regions: 100_000, of: 64), buffer(regions: 1_000, of: 64))
      return Sides(
        ours: { try readBytes(of: large, in: range) },
        theirs: { try readBytes(of: small, in: 0..<small.count) }
      )
    }
  }

  private static func walk(_ id: String, regions: Int, of size: Int) -> Row {
    Row(
      id: id,
      work: "a walk over \(regions) regions of \(size) bytes that adds all bytes up",
      rival: "a flat array",
      goal: 0.85
    ) { _ in
      let bytes = buffer(regions: regions, of: size)
      let array = [UInt8](bytes)
      return Sides(
        ours: {
          try timed(expecting: array.count) {
            var sum = 0
            bytes.enumerateBytes { bytes, _, _ in sum += addedUp(bytes.span) }
            return sum
          }
        },
        theirs: { try timed(expecting: array.count) { addedUp(array.span) } }
      )
    }
  }

  /// Creates a buffer of ones, each region in memory of its own.
  private static func buffer(regions: Int, of size: Int) -> DataBuffer {
    let bytes = [UInt8](repeating: 1, count: size)
    return (0..<regions).reduce(into: DataBuffer()) { buffer, _ in
      buffer.append(DataBuffer(bytes))
    }
  }

  @inline(never)
  private static func addedUp(_ bytes: Span<UInt8>) -> Int {
    var sum = 0
    for index in bytes.indices { sum &+= Int(bytes[index]) }
    return sum
  }
}

extension Buffers {
  private static func appendBytes(_ count: Int) throws -> Timing {
    let bytes = [UInt8](repeating: 1, count: 64)
    return try timed(expecting: 64 * count) {
      var buffer = DataBuffer()
      for _ in 0..<count { buffer.append(bytes: bytes.span.bytes) }
      return buffer.count
    }
  }

  private static func appendBuffers(_ count: Int) throws -> Timing {
    let piece = DataBuffer([UInt8](repeating: 1, count: 64))
    return try timed(expecting: 64 * count) {
      var buffer = DataBuffer()
      for _ in 0..<count { buffer.append(piece) }
      return buffer.count
    }
  }

  private static func readBytes(of buffer: DataBuffer, in range: Range<Int>) throws -> Timing {
    var places = Places(below: range.count)
    return try timed(expecting: accesses) {
      var sum = 0
      for _ in 0..<accesses { sum += Int(buffer[range.lowerBound + places.next()]) }
      return sum
    }
  }

  private static func cut(_ buffer: DataBuffer) throws -> Timing {
    var places = Places(below: buffer.count / 2)
    return try timed(expecting: accesses / 100 * 640) {
      var sum = 0
      for _ in 0..<accesses / 100 {
        let start = places.next()
        sum += buffer.subdata(in: start..<start + 640).count
      }
      return sum
    }
  }

  /// Returns the fastest of some walks, because its bound is a limit and knows no noise.
  private static func walkSizes(of buffer: DataBuffer) throws -> Double {
    try (1...20).map { _ in
      let timing = try timed(expecting: buffer.count) {
        var sum = 0
        buffer.enumerateBytes { bytes, _, _ in sum += bytes.count }
        return sum
      }
      return timing.duration / .seconds(1)
    }.min() ?? 0
  }
}

/// The same places in each run, in no order.
struct Places {
  private let bound: Int
  private var state: UInt64 = 1

  init(below bound: Int) {
    self.bound = bound
  }

  mutating func next() -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % bound
  }
}

/// Times work that returns a number, which has to be the expected one.
func timed(expecting wanted: Int, _ work: () throws -> Int) throws -> Timing {
  let (result, timing) = try Timing.of(work)
  guard result == wanted else {
    throw CommandFailure(description: "\(result) instead of \(wanted)")
  }
  return timing
}
