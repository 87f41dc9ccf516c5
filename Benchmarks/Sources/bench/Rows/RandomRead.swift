import Measure

/// B2: small reads all over a cached file, many in flight, a handler each.
enum RandomRead {
  static let rows = [
    Row(
      id: "B2.dispatch",
      work: "50,000 random reads of 4 KiB (quick: 20,000) \(way), cached on ext4, 64 in flight",
      rival: "DispatchIO",
      goal: 18
    ) { size in
      let file = try CachedFile(megabytes: 128)
      let count = size.count(quick: 20_000, full: 50_000)
      return Sides(
        ours: { try ChannelRead.random(path: file.path, count: count, inFlight: 64) },
        theirs: { try DispatchRead.random(path: file.path, count: count, inFlight: 64) }
      ).with {
        let reads = Reads(allOver: file, count: count)
        return (try ChannelRead.tail(reads), try DispatchRead.tail(reads))
      }
    },
    besideLoop("B2.uring", "ext4"),
    besideLoop("B2.xfs", "xfs"),
  ]

  private static let way = "through a channel"

  private static func besideLoop(_ id: String, _ kind: String) -> Row {
    Row(
      id: id,
      work: "1,000,000 random reads of 4 KiB (quick: 200,000) \(way), cached on \(kind), "
        + "64 in flight",
      rival: "bare liburing loop, without handlers",
      goal: 0.85
    ) { size in
      let file = try CachedFile(megabytes: 128, on: kind)
      let reads = Reads(allOver: file, count: size.count(quick: 200_000, full: 1_000_000))
      try reads.check("the bare loop", beside: "io_uring") { try reads.bareLoop().seconds }
      return Sides(
        ours: { try ChannelRead.random(path: file.path, count: reads.count, inFlight: 64) },
        theirs: { try reads.bareLoop().timing }
      )
    }
  }

  /// Returns the block of the read of this number, the same as in the bare loops.
  static func block(_ index: Int, of blocks: Int) -> Int {
    var numbers = SeededNumbers(state: UInt64(index))
    return Int(numbers.next() % UInt64(blocks))
  }

  /// Returns the offset of the read of this number in the file of 128 MiB.
  static func offset(of index: Int) -> Int64 {
    Int64(block(index, of: (128 << 20) / 4096)) * 4096
  }
}
