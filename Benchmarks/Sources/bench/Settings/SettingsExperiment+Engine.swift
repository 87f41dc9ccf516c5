import Measure

/// Settings of the engine.
extension SettingsExperiment {
  /// `TransferSizes`: how much is read at a time, and how much the kernel has at a time.
  func steps() throws -> SettingsTable {
    let settings = [
      (64, 8), (64, 16), (256, 8), (256, 16), (1024, 1), (1024, 4), (1024, 8), (1024, 16),
    ]
    var table = SettingsTable(
      "Steps",
      unit: "ms",
      settings: settings.map { "\($0.1) of \($0.0) KiB" },
      text: """
        A file read in order at the engine's interface, so many requests of a size in flight. A
        channel reads 1 MiB at a time (`TransferSizes`), up to 4 times at once, and 8 times what is
        shorter (`ReadWindow`).
        """
    )
    let megabytes = size.count(smoke: 16, quick: 256, full: 512)
    for kind in kinds {
      for pages in ["cached", "cold", "direct"] {
        let images = pages == "cached" ? FreshFileSystem.memory : programs.disk
        var made: FreshFileSystem?
        try table.measure("\(kind), \(pages), \(megabytes) MiB", rounds: rounds) { setting in
          let system = try made ?? FreshFileSystem(kind: kind, gigabytes: 2, images: images)
          made = system
          let (kibibytes, depth) = settings[setting]
          let cost = try Cost.ofEngine(
            programs.directory,
            [
              "ways=ring",
              "work=read",
              "pages=\(pages)",
              "order=sequential",
              "size=\(kibibytes << 10)",
              "depth=\(depth)",
              "count=\(megabytes << 10 / kibibytes)",
              "span=\(megabytes << 20)",
              "\(system.path)/file",
            ]
          )
          return cost.seconds * 1000
        }
        say(table)
      }
    }
    return table
  }

  /// `BlockingPool.transfers`: how many plain calls are made at a time while none is blocked.
  func threads() throws -> SettingsTable {
    let settings = [1, 2, 4, 8, 16]
    var table = SettingsTable(
      "Threads",
      unit: "µs a request",
      settings: settings.map(String.init),
      text: """
        Requests of 16 KiB on the pool, 64 in flight, with so many threads at a time while none is
        blocked. The engine has twice the processors, from 4 to 64 (`BlockingPool.transfers`).
        """
    )
    let works = [
      ("read", "cached"), ("read", "cold"), ("read", "direct"), ("overwrite", "cached"),
      ("new", "cached"),
    ]
    let count = size.count(smoke: 64, quick: 4096, full: 8192)
    for kind in kinds {
      for (work, pages) in works {
        let images = pages == "cached" ? FreshFileSystem.memory : programs.disk
        var made: FreshFileSystem?
        try table.measure("\(kind), \(work), \(pages)", rounds: rounds) { setting in
          let system = try made ?? FreshFileSystem(kind: kind, gigabytes: 2, images: images)
          made = system
          let cost = try Cost.ofEngine(
            programs.directory,
            [
              "ways=pool",
              "work=\(work)",
              "pages=\(pages)",
              "order=\(work == "read" ? "random" : "sequential")",
              "size=\(16 << 10)",
              "depth=64",
              "count=\(count)",
              "span=\(128 << 20)",
              "width=\(settings[setting])",
              "\(system.path)/file",
            ]
          )
          return cost.seconds * 1e6 / Double(count)
        }
        say(table)
      }
    }
    return table
  }

  /// `RingLoop.directBatch`: how many direct requests are handed over at a time.
  func batches() throws -> SettingsTable {
    let number = CompiledNumber(
      "static let directBatch",
      in: "Sources/RequestEngine/Ring/RingLoop.swift"
    )
    var table = SettingsTable(
      "Direct requests handed over at a time",
      unit: "µs a request",
      settings: values(4, 1, 16, 256),
      text: """
        Reads all over a file and writes over it in order, past the cache, at the engine's
        interface. At most 4 wait to be handed over to the kernel (`RingLoop.directBatch`).
        """
    )
    let builds = try builds(of: .enginebench, with: number, for: table)
    let works = [("read", 4, 64), ("read", 64, 16), ("overwrite", 4, 64), ("overwrite", 64, 16)]
    for kind in kinds {
      for (work, kibibytes, depth) in works {
        let count = size.count(smoke: 64, quick: 64 << 10, full: 128 << 10) / kibibytes
        var made: FreshFileSystem?
        let name = "\(kind), \(work), \(kibibytes) KiB, \(depth) in flight"
        try table.measure(name, rounds: rounds) { setting in
          let system = try made ?? FreshFileSystem(kind: kind, gigabytes: 2, images: programs.disk)
          made = system
          let cost = try Cost.ofEngine(
            builds[setting].programs,
            [
              "ways=ring",
              "work=\(work)",
              "pages=direct",
              "order=\(work == "read" ? "random" : "sequential")",
              "size=\(kibibytes << 10)",
              "depth=\(depth)",
              "count=\(count)",
              "span=\(128 << 20)",
              "\(system.path)/file",
            ]
          )
          return cost.seconds * 1e6 / Double(count)
        }
        say(table)
      }
    }
    return table
  }
}
