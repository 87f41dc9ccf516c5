import Measure

/// B5: a file is written over, in order or all over it.
enum StreamWrite {
  /// The bytes of one write of a stream.
  static let bufferSize = 16 << 20
  /// The bytes of one write at a place of its own.
  static let blockSize = 64 << 10

  static let rows = [
    row("B5.stream-dispatch", "DispatchIO", goal: 1.05, stream, DispatchWrite.stream),
    row("B5.stream-pwrite", "pwrite of 1 MiB", goal: 0.9, stream, PlainWrite.stream),
    row("B5.random-dispatch", "DispatchIO", goal: 1.6, random) {
      try DispatchWrite.random($0, count: $1, inFlight: 64)
    },
    row("B5.random-pwrite", "pwrite in a loop", goal: 0.9, random, PlainWrite.random),
  ]

  private typealias Work = @Sendable (_ descriptor: Int32, _ count: Int) throws -> Int

  private static let stream = (
    work: "stream write over a cached file on ext4, in buffers of 16 MiB",
    ours: ChannelWrite.stream as Work
  )
  private static let random = (
    work: "random writes of 64 KiB over a cached file on ext4, 64 in flight",
    ours: { try ChannelWrite.random($0, count: $1, inFlight: 64) } as Work
  )

  private static func row(
    _ id: String,
    _ rival: String,
    goal: Double,
    _ side: (work: String, ours: Work),
    _ theirs: @escaping Work
  ) -> Row {
    Row(id: id, work: side.work, rival: rival, goal: goal) { size in
      let file = try WrittenFile(megabytes: size.count(quick: 256, full: 1024))
      return Sides(
        ours: { try file.timed { try side.ours($0, file.byteCount) } },
        theirs: { try file.timed { try theirs($0, file.byteCount) } }
      )
    }
  }

  /// Where the write of this number goes: each block once, in an order that jumps about.
  static func offset(of index: Int, blocks: Int) -> Int64 {
    // Odd steps visit all blocks of a power of two.
    Int64((index &* 0x9E37_79B9) & (blocks - 1)) * Int64(blockSize)
  }
}
