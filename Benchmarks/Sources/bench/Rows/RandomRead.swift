import Measure

/// B2: small reads all over a cached file, many in flight, a handler each.
enum RandomRead {
  static let rows = [
    Row(
      id: "B2.dispatch",
      work: "random reads of 4 KiB through a channel, cached on ext4, 64 in flight",
      rival: "DispatchIO",
      goal: 15
    ) { size in
      let file = try CachedFile(megabytes: 128)
      let count = size.count(quick: 20_000, full: 50_000)
      return Sides(
        ours: { try ChannelRead.random(path: file.path, count: count, inFlight: 64) },
        theirs: { try DispatchRead.random(path: file.path, count: count, inFlight: 64) }
      )
    },
    Row(
      id: "B2.uring",
      work: "random reads of 4 KiB through a channel, cached on ext4, 64 in flight",
      rival: "bare liburing loop, without handlers",
      goal: 0.6
    ) { size in
      let file = try CachedFile(megabytes: 128)
      let reads = Reads(allOver: file, count: size.count(quick: 200_000, full: 1_000_000))
      try reads.check("the bare loop", beside: "io_uring") { try reads.bareLoop().seconds }
      return Sides(
        ours: { try ChannelRead.random(path: file.path, count: reads.count, inFlight: 64) },
        theirs: { try reads.bareLoop().timing }
      )
    },
  ]

  /// In the file of 128 MiB.
  private static let blocks = (128 << 20) / 4096

  /// Where the read of this number goes.
  static func offset(of index: Int) -> Int64 {
    Int64(((index &* 0x9E37_79B9) >> 7) % blocks) * 4096
  }
}
