import Dispatch
import IOChannels
import Measure

/// B5: a file is written over, in order or all over it.
enum StreamWrite {
  /// The bytes of one write of a stream.
  static let bufferSize = 16 << 20
  /// The bytes of one write at a place of its own.
  static let blockSize = 64 << 10

  static let rows = [
    row("B5.stream-dispatch", "DispatchIO", goal: 1.05, isStream: true) { DispatchSide() },
    row("B5.stream-pwrite", "pwrite of 1 MiB", goal: 0.9, isStream: true) { PlainSide() },
    row("B5.stream-xfs", on: "xfs", "pwrite of 1 MiB", goal: 0.9, isStream: true) { PlainSide() },
    row("B5.random-dispatch", "DispatchIO", goal: 1.45, isStream: false) { DispatchSide() },
    row("B5.random-pwrite", "pwrite in a loop", goal: 0.9, isStream: false) { PlainSide() },
    row("B5.random-xfs", on: "xfs", "pwrite in a loop", goal: 0.95, isStream: false) {
      PlainSide()
    },
  ]

  private static func row(
    _ id: String,
    on kind: String = "ext4",
    _ rival: String,
    goal: Double,
    isStream: Bool,
    _ makeRival: @escaping @Sendable () -> some WritingSide
  ) -> Row {
    Row(
      id: id,
      work: isStream
        ? "stream write over 1 GiB (quick: 256 MiB), cached on \(kind), in buffers of 16 MiB"
        : "random writes of 64 KiB over 1 GiB (quick: 256 MiB), cached on \(kind), 64 in flight",
      rival: rival,
      goal: goal
    ) { size in
      let file = try WrittenFile(megabytes: megabytes(size), on: kind)
      // The bytes are there before the clock.
      let (ours, theirs) = (ChannelSide(), makeRival())
      let count = file.byteCount
      try theirs.check(file, isStream: isStream)
      return Sides(
        ours: { try file.timed { try ours.write($0, count: count, isStream: isStream) } },
        theirs: { try file.timed { try theirs.write($0, count: count, isStream: isStream) } }
      )
    }
  }

  /// Returns the length of the file.
  static func megabytes(_ size: Size) -> Int { size.count(quick: 256, full: 1024) }

  /// Returns the offset of the write of this number: each block once, in a scattered order.
  static func offset(of index: Int, blocks: Int) -> Int64 {
    // Odd steps visit all blocks of a power of two.
    Int64((index &* 0x9E37_79B9) & (blocks - 1)) * Int64(blockSize)
  }
}

/// One way of writing, with the bytes that it writes.
private protocol WritingSide: SendableMetatype {
  func write(_ descriptor: Int32, count: Int, isStream: Bool) throws -> Int
  /// Voids the row where nothing vouches for this side.
  func check(_ file: WrittenFile, isStream: Bool) throws
}

extension WritingSide {
  func check(_: WrittenFile, isStream: Bool) throws {}
}

private struct ChannelSide: WritingSide {
  private let buffer = DataBuffer(repeatElement(7, count: StreamWrite.bufferSize))
  private let block = DataBuffer(repeatElement(7, count: StreamWrite.blockSize))

  func write(_ descriptor: Int32, count: Int, isStream: Bool) throws -> Int {
    isStream
      ? try ChannelWrite.stream(descriptor, buffer, count: count)
      : try ChannelWrite.random(descriptor, block, count: count, inFlight: 64)
  }
}

private struct DispatchSide: WritingSide {
  private let buffer = DispatchWrite.data(StreamWrite.bufferSize)
  private let block = DispatchWrite.data(StreamWrite.blockSize)

  func write(_ descriptor: Int32, count: Int, isStream: Bool) throws -> Int {
    isStream
      ? try DispatchWrite.stream(descriptor, buffer, count: count)
      : try DispatchWrite.random(descriptor, block, count: count, inFlight: 64)
  }
}

private struct PlainSide: WritingSide {
  private let buffer = PlainWrite(bytes: PageBytes(count: StreamWrite.bufferSize))
  private let block = PlainWrite(bytes: PageBytes(count: StreamWrite.blockSize))

  func write(_ descriptor: Int32, count: Int, isStream: Bool) throws -> Int {
    isStream ? buffer.stream(descriptor, count: count) : block.random(descriptor, count: count)
  }

  func check(_ file: WrittenFile, isStream: Bool) throws {
    // As fio, which has one buffer of the length of a write.
    let bytes = PageBytes(count: isStream ? 1 << 20 : StreamWrite.blockSize)
    let loop = PlainWrite(bytes: bytes)
    let writes = Reads(
      path: file.path,
      size: bytes.count,
      count: file.byteCount / bytes.count,
      span: file.byteCount,
      isRandom: !isStream
    )
    try writes.check("the loop of pwrite", beside: "psync", writes: true) {
      let timing = try file.timed { file in
        isStream
          ? loop.stream(file, count: writes.span) : loop.random(file, count: writes.span)
      }
      return timing.duration / .seconds(1)
    }
  }
}
