import Measure

extension SettingsExperiment {
  /// No number of ours: how the cost of an operation grows with how many are outstanding.
  func outstanding() throws -> SettingsTable {
    let counts = size == .smoke ? [64] : [64, 1_000, 10_000, 100_000]
    var table = SettingsTable(
      "Operations outstanding",
      unit: "ns each",
      settings: counts.map { "\($0)" },
      text: """
        What one operation takes while so many are outstanding: closures in a serial queue, each of
        which submits another; the calls that arm 1,000 more timers; random reads of 4 KiB that are
        in memory, by the engine, which takes the buffers in turn or has one for each read, and
        through a channel, which has memory for 16,000 results.
        """
    )
    let total = size.count(smoke: 1_000, quick: 300_000, full: 1_000_000)
    func nanoseconds(_ timing: Timing) -> Double {
      timing.duration / .nanoseconds(1) / Double(total)
    }
    try table.measure("closures", rounds: rounds) {
      nanoseconds(try Outstanding.relay(total, inFlight: counts[$0]))
    }
    try table.measure("timers", rounds: rounds) { setting in
      let command = [programBeside("bench"), "arm", "\(counts[setting])"]
      return try number(printedBy: command) * 1e9 / Double(Timers.armedMore)
    }
    for kind in ["ext4", "xfs"] {
      let file = try CachedFile(megabytes: 128, on: kind)
      for (name, buffers) in [("100,000 buffers", 100_000), ("a buffer each", 1)] {
        try table.measure("reads by the engine, \(kind), \(name)", rounds: rounds) { setting in
          let reads = Reads(
            path: file.path,
            size: 4096,
            depth: counts[setting],
            count: total,
            span: file.byteCount,
            isRandom: true,
            isDirect: false
          )
          return nanoseconds(try reads.engine(programs.directory, "buffers=\(buffers)").timing)
        }
        say(table)
      }
      try table.measure("reads of a channel, \(kind)", rounds: rounds) { setting in
        nanoseconds(
          try ChannelRead.random(path: file.path, count: total, inFlight: counts[setting])
        )
      }
      say(table)
    }
    return table
  }
}
