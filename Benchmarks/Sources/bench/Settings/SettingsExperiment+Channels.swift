import Measure

/// Settings of channels.
extension SettingsExperiment {
  /// `TransferSizes.atOnce`: up to which length a read of what is in memory is made by the caller.
  func readsAtOnce() throws -> SettingsTable {
    var table = SettingsTable(
      "Reads at once",
      unit: "µs a read",
      settings: ["by the engine", "at once"],
      text: """
        Random reads of a channel, a handler each, so many in flight: all by the engine, or first
        looked for in memory by the caller; and what the calls alone take of the caller's processor
        time. A channel looks up to 16 KiB (`TransferSizes`).
        """
    )
    for kind in kinds {
      for (pages, depth) in [("cached", 1), ("cached", 16), ("cold", 16)] {
        let images = pages == "cached" ? FreshFileSystem.memory : programs.disk
        var made: FreshFileSystem?
        for kibibytes in size == .smoke ? [4] : [1, 4, 16, 32, 64, 128] {
          // Of what is cold most reads are to be the first of their place.
          let most = pages == "cold" ? (128 << 10) / kibibytes / 4 : .max
          let count = min(most, size.count(smoke: 64, quick: 20_000, full: 20_000))
          for isOfCalls in [false, true] {
            let reads = "\(kind), \(pages), \(kibibytes) KiB, \(depth) in flight"
            let work = reads + (isOfCalls ? ", the calls" : "")
            try table.measure(work, rounds: rounds) { setting in
              let system = try made ?? FreshFileSystem(kind: kind, gigabytes: 2, images: images)
              made = system
              let cost = try Cost.ofEngine(
                programs.directory,
                [
                  "channel=\(setting == 0 ? 0 : kibibytes << 10)",
                  "pages=\(pages)",
                  "order=random",
                  "size=\(kibibytes << 10)",
                  "depth=\(depth)",
                  "count=\(count)",
                  "span=\(128 << 20)",
                  "\(system.path)/file",
                ]
              )
              return (isOfCalls ? cost.calls ?? 0 : cost.seconds) * 1e6 / Double(count)
            }
            say(table)
          }
        }
      }
    }
    return table
  }

  /// `CacheGuess.longestPause`: how many reads go without a look after looks in vain.
  func looks() throws -> SettingsTable {
    let number = CompiledNumber(
      "static let longestPause",
      in: "Sources/IOChannels/Descriptors/CacheGuess.swift"
    )
    var table = SettingsTable(
      "Reads without a look after looks in vain",
      unit: "µs a read",
      settings: values(63, 0, 7, 511),
      text: """
        Random reads of a channel from a disk, a handler each, 16 in flight, which the caller looks
        for in memory: when each is the first of its place, when each place is read four times, so
        that ever more of them are there, and when all are; and what the calls alone take of the
        caller's processor time. After looks in vain up to 63 go without one (`CacheGuess`).
        """
    )
    let builds = try builds(of: .enginebench, with: number, for: table)
    let span = size.count(smoke: 1, quick: 128, full: 512) << 20
    for kind in kinds {
      for (pages, length, share) in [
        ("cold", 4 << 10, 0.25), ("cold", 16 << 10, 0.25), ("cold", 4 << 10, 4),
        ("cold", 16 << 10, 4), ("cached", 4 << 10, 1),
      ] {
        var made: FreshFileSystem?
        let count = Int(Double(span / length) * share)
        let times = share == 4 ? ", each place four times" : ""
        for isOfCalls in [false, true] {
          let reads = "\(kind), \(pages), \(length >> 10) KiB\(times)"
          try table.measure(reads + (isOfCalls ? ", the calls" : ""), rounds: rounds) { setting in
            let system =
              try made ?? FreshFileSystem(kind: kind, gigabytes: 2, images: programs.disk)
            made = system
            let cost = try Cost.ofEngine(
              builds[setting].programs,
              [
                "channel=\(16 << 10)", "pages=\(pages)", "order=random", "size=\(length)",
                "depth=16", "count=\(count)", "span=\(span)", "\(system.path)/file",
              ]
            )
            return (isOfCalls ? cost.calls ?? 0 : cost.seconds) * 1e6 / Double(count)
          }
          say(table)
        }
      }
    }
    return table
  }
}
