import Measure

/// Settings that are compiled in, held against others by rows of the benchmarks with the counts of
/// quick and of full runs: the package is built once for each, which takes minutes.
extension SettingsExperiment {
  /// `spin`: how often a thread looks before it parks.
  func turns() throws -> SettingsTable {
    try compiled(
      SettingsTable(
        "Turns before parking",
        unit: "ms",
        settings: values(128, 0, 32, 512),
        text: """
          Our side of rows of queues. A thread that waits for another one looks 128 times before it
          parks (`spin`).
          """
      ),
      CompiledNumber("let turns", in: "Sources/SystemCalls/Threads/Spinning.swift"),
      ["B9.barrier-readers", "B9.concurrent", "B9.perform-short", "B9.pingpong", "B9.queues"]
    )
  }

  /// `Turn.length`: how many closures a thread runs before it looks whether others wait.
  func closures() throws -> SettingsTable {
    try compiled(
      SettingsTable(
        "Closures of a turn",
        unit: "ms",
        settings: values(64, 4, 16, 256),
        text: """
          Our side of rows of queues. A thread runs up to 64 closures of a queue before it looks
          whether others wait for it (`Turn.length`).
          """
      ),
      CompiledNumber("static let length", in: "Sources/QueueRuntime/Queues/Lane.swift"),
      ["B9.async", "B9.concurrent", "B9.pingpong", "B9.queues"]
    )
  }

  /// `ParallelLoop.sharesEach`: into how many shares a loop is cut.
  func shares() throws -> SettingsTable {
    try compiled(
      SettingsTable(
        "Shares of a parallel loop",
        unit: "ms",
        settings: values(2, 1, 4, 16),
        text: """
          Our side of rows of parallel loops. A thread takes half of its part of what is left at a
          time (`ParallelLoop.sharesEach`).
          """
      ),
      CompiledNumber("static let sharesEach", in: "Sources/QueueRuntime/Loops/ParallelLoop.swift"),
      ["B9.perform", "B9.perform-short"]
    )
  }

  /// `BufferPool.sharedLimit`: how much memory is kept for the next reads.
  func buffers() throws -> SettingsTable {
    try compiled(
      SettingsTable(
        "Memory that the pool keeps",
        unit: "ms",
        settings: values(64 << 20, 0, 16 << 20, 256 << 20),
        text: """
          Our side of rows of channels. Up to 64 MiB that reads have given back are kept for the
          next ones (`BufferPool.sharedLimit`).
          """
      ),
      CompiledNumber("static let sharedLimit", in: "Sources/RequestEngine/Memory/BufferPool.swift"),
      ["B1.dispatch", "B2.dispatch", "B6.cp"]
    )
  }

  /// The value in the code, and the others unless it is only to be seen that one can be built.
  func values(_ own: Int, _ others: Int...) -> [String] {
    ((size == .smoke ? [] : others) + [own]).sorted().map(String.init)
  }

  /// Builds a program once for each setting of a table, which are values of a number in a file.
  func builds(
    of product: CompiledSetting.Product,
    with number: CompiledNumber,
    for table: SettingsTable
  ) throws -> [CompiledSetting] {
    try builds(of: product, with: table.settings.map { (number, $0) }, for: table)
  }

  /// Builds a program once for each setting of a table, each of which is a number and its value.
  func builds(
    of product: CompiledSetting.Product,
    with values: [(number: CompiledNumber, value: String)],
    for table: SettingsTable
  ) throws -> [CompiledSetting] {
    say("settings: \(table.title), building it with \(table.settings.joined(separator: "; "))")
    return try values.map { try CompiledSetting($0.number, $0.value, building: product) }
  }

  /// Fills a table whose settings are values of a number in a file.
  func compiled(
    _ empty: SettingsTable,
    _ number: CompiledNumber,
    _ rows: [String]
  ) throws -> SettingsTable {
    var table = empty
    let builds = try builds(of: .bench, with: number, for: table)
    for row in rows {
      for size in size == .smoke ? [.smoke] : [Size.quick, .full] {
        try table.measure("\(row), \(size)", rounds: 3 * rounds) { setting in
          try builds[setting].measure(row, size) * 1000
        }
        say(table)
      }
    }
    return table
  }
}
