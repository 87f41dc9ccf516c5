/// Bounds on memory and on what is under way, which might cost time.
extension SettingsExperiment {
  /// `RequestScheduler.sharedEndLimit`: how many ends of writes are heard of at once.
  func ends() throws -> SettingsTable {
    try compiled(
      SettingsTable(
        "Ends heard of at once",
        unit: "ms",
        settings: values(8, 1, 2, 32),
        text: """
          Our side of rows of writes. The ring's thread waits for up to 8 ends of writes of one
          device at once while others wait for their turn there
          (`RequestScheduler.sharedEndLimit`).
          """
      ),
      CompiledNumber(
        "static let sharedEndLimit",
        in: "Sources/RequestEngine/Scheduling/RequestScheduler.swift"
      ),
      ["B5.random-dispatch", "B6.cp"]
    )
  }

  /// `accountParts`: the part of the memory that a channel may have.
  func parts() throws -> SettingsTable {
    try compiled(
      SettingsTable(
        "A channel's part of the memory",
        unit: "ms",
        settings: values(4, 1, 2, 16),
        text: """
          Our side of rows of channels. One may have a quarter of the memory that all have for what
          is read, written and waits for handlers (`accountParts`).
          """
      ),
      CompiledNumber("let accountParts", in: "Sources/RequestEngine/Memory/BudgetState.swift"),
      ["B1.dispatch", "B6.cp", "B12.channel-reads"]
    )
  }

  /// `Ring.submissionEntries`: how many requests are handed to the kernel in one call.
  func entries() throws -> SettingsTable {
    try compiled(
      SettingsTable(
        "Requests handed over in one call",
        unit: "ms",
        settings: values(256, 16, 64, 1024),
        text: """
          Our side of rows with many requests in flight. At most 256 are handed to the kernel in one
          call (`Ring.submissionEntries`).
          """
      ),
      CompiledNumber(
        "static let submissionEntries: UInt32",
        in: "Sources/RequestEngine/Ring/Ring.swift"
      ),
      ["B3.channel", "B5.random-dispatch", "B12.channel-reads"]
    )
  }

  /// `DirectoryReader.capacity`: how many bytes of names are read at once.
  func names() throws -> SettingsTable {
    let lengths = size == .smoke ? [64] : [64, 4, 16, 256]
    var table = SettingsTable(
      "Names read at once",
      unit: "ms",
      settings: lengths.map { "\($0) KiB" },
      text: """
        `fastcp -a` of empty files in one directory, and of directories with ten of them each, warm.
        The copier reads 64 KiB of names at once (`DirectoryReader.capacity`).
        """
    )
    let number = CompiledNumber(
      "static let capacity",
      in: "Sources/SystemCalls/Files/DirectoryReader.swift"
    )
    say("settings: \(table.title), building it with \(table.settings.joined(separator: ", "))")
    let builds = try lengths.map {
      try CompiledSetting(number, "\($0) << 10", building: .fastcp)
    }
    let files = size.count(smoke: 100, quick: 10_000, full: 40_000)
    for kind in kinds {
      for spread in [1_000_000, 10] {
        var scene = programs.tree(files: files, ["--size", "0", "--spread", "\(spread)"])
        scene.kind = kind
        let name = "\(kind), \(spread == 10 ? "ten to a directory" : "one directory")"
        try table.measure(name, rounds: rounds) { setting in
          try scene.time(.built(builds[setting].programs, ["-a"])).duration / .milliseconds(1)
        }
        say(table)
      }
    }
    return table
  }
}
