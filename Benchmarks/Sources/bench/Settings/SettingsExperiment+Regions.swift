import Measure

/// Sizes of what buffers are made of.
extension SettingsExperiment {
  /// `RegionTree.fanOut`: how many regions a node has.
  func nodes() throws -> SettingsTable {
    try compiled(
      SettingsTable(
        "Regions of a node",
        unit: "ms",
        settings: values(32, 8, 16, 64, 128),
        text: """
          Our side of rows of buffers. A node of a buffer's tree has up to 32 regions or nodes
          (`RegionTree.fanOut`).
          """
      ),
      CompiledNumber("static let fanOut", in: "Sources/DataRegions/Tree/RegionTree.swift"),
      ["B11.append-buffers", "B11.byte", "B11.byte-far", "B11.subdata", "B11.walk-small"]
    )
  }

  /// `AppendClaim.largestCapacity`: how much memory appends share.
  func appends() throws -> SettingsTable {
    try compiled(
      SettingsTable(
        "Memory that appends share",
        unit: "ms",
        settings: values(64 << 10, 4 << 10, 16 << 10, 256 << 10),
        text: """
          Our side of the row of appended bytes. Appends fill pieces of memory of up to 64 KiB
          (`AppendClaim.largestCapacity`), each twice as long as the one before.
          """
      ),
      CompiledNumber(
        "static let largestCapacity",
        in: "Sources/DataRegions/Memory/AppendClaim.swift"
      ),
      ["B11.append"]
    )
  }

  /// `DataBuffer.ownRegionSize`: from which length on appended bytes get memory of their own.
  func owned() throws -> SettingsTable {
    try appended(
      SettingsTable(
        "Appends with memory of their own",
        unit: "ms",
        settings: values(16 << 10, 1 << 10, 4 << 10, 64 << 10),
        text: """
          Buffers of 4 MiB that appends of so many bytes make, 64 MiB in all (1 GiB). From 16 KiB on
          they get memory of their own (`DataBuffer.ownRegionSize`).
          """
      ),
      CompiledNumber(
        "static let ownRegionSize",
        in: "Sources/DataRegions/Buffer/DataBuffer+RawAppend.swift"
      ),
      [1, 2, 4, 8, 12, 16, 24, 32, 48, 64].map { kibibytes in
        let buffers = size.count(smoke: 1, quick: 16, full: 256)
        let name = "appends of \(kibibytes) KiB"
        return (name, Appends(of: kibibytes << 10, each: (4 << 10) / kibibytes, buffers: buffers))
      }
    )
  }

  /// `AppendClaim.smallestCapacity`: how much memory the first append to a buffer takes.
  func firsts() throws -> SettingsTable {
    try appended(
      SettingsTable(
        "First memory that appends share",
        unit: "ms",
        settings: values(256, 64, 1 << 10, 4 << 10),
        text: """
          Buffers of a number of appends of 16 bytes, 200,000 appends (2,000,000). The first one
          takes 256 bytes (`AppendClaim.smallestCapacity`), which is what a buffer of one append
          keeps.
          """
      ),
      CompiledNumber(
        "static let smallestCapacity",
        in: "Sources/DataRegions/Memory/AppendClaim.swift"
      ),
      [1, 4, 16, 64, 1_000].map { appends in
        let count = size.count(smoke: 1_000, quick: 200_000, full: 2_000_000)
        let name = appends == 1 ? "one append" : "\(appends) appends"
        return (name, Appends(of: 16, each: appends, buffers: count / appends))
      }
    )
  }

  /// Fills a table whose settings are values of a number in a file, by appends.
  private func appended(
    _ empty: SettingsTable,
    _ number: CompiledNumber,
    _ works: [(String, Appends)]
  ) throws -> SettingsTable {
    var table = empty
    let builds = try builds(of: .bench, with: number, for: table)
    for (name, work) in works {
      try table.measure(name, rounds: 3 * rounds) { setting in
        try builds[setting].measure(work) * 1000
      }
      say(table)
    }
    return table
  }
}
