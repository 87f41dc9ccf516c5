import Measure

/// Settings of the copier for trees.
extension SettingsExperiment {
  /// `JobRule`: how many files are copied at a time.
  func jobs() throws -> SettingsTable {
    let settings = ["--jobs=1", "--jobs=2", "--jobs=4", "--jobs=8", "--jobs=16"]
    var table = SettingsTable(
      "Jobs",
      unit: "ms",
      settings: ["by `JobRule`"] + settings,
      text: """
        `fastcp -a` of a tree, warm, from a disk after the caches were dropped, and to another file
        system, a hundredth of its files 1 to 4 MiB large then; and of trees whose shapes are drawn
        from the seed.
        """
    )
    try measureTrees(&table) { setting in
      .fastcp(["-a"] + (setting == 0 ? [] : [settings[setting - 1]]))
    }
    return table
  }

  /// `JobRule` and `JobPace`: when there are more files at a time, and how soon.
  func pace() throws -> SettingsTable {
    let gain = CompiledNumber("static let gain", in: "Sources/FileCopy/Schedule/JobRule.swift")
    let interval = CompiledNumber(
      "static let interval: Int64",
      in: "Sources/FileCopy/Schedule/JobPace.swift"
    )
    let own = ("1.15, 16 ms", gain, "1.15")
    let others = [
      ("1, 16 ms", gain, "1.0"), ("1.4, 16 ms", gain, "1.4"),
      ("1.15, 4 ms", interval, "4_000_000"), ("1.15, 64 ms", interval, "64_000_000"),
    ]
    let settings = size == .smoke ? [own] : [own] + others
    var table = SettingsTable(
      "When jobs are added",
      unit: "ms",
      settings: settings.map(\.0),
      text: """
        The same, by the rule, which goes back to half of the jobs where the processors have not so
        many times as much to do (`JobRule.gain`), and looks so often (`JobPace.interval`). It has
        1.15 and 16 ms.
        """
    )
    let builds = try builds(of: .fastcp, with: settings.map { ($0.1, $0.2) }, for: table)
    try measureTrees(&table) { .built(builds[$0].programs, ["-a"]) }
    return table
  }

  /// Copies trees of all kinds under each setting.
  private func measureTrees(
    _ table: inout SettingsTable,
    _ copier: (_ setting: Int) -> Copier
  ) throws {
    let files = size.count(smoke: 100, quick: 5_000, full: 20_000)
    // Other shapes than those of B13, which are to show that nothing was chosen for them.
    let shapes = (1...2).map { TreeShape(seed: ~programs.seed, number: $0).options }
    let works: [(name: String, options: [String], isCold: Bool, isAcross: Bool)] = [
      ("warm", [], false, false), ("cold", [], true, false),
      ("to another", ["--large", "\(files / 100)"], false, true),
      ("shape 1, warm", shapes[0], false, false), ("shape 2, cold", shapes[1], true, false),
    ]
    for kind in kinds {
      for work in works {
        var scene = programs.tree(files: files, work.options)
        scene.kind = kind
        scene.isAcross = work.isAcross
        scene.disk = work.isCold ? programs.disk : nil
        if work.isAcross { scene.room += files / 8 }
        try table.measure("\(kind), \(work.name)", rounds: rounds) { setting in
          try scene.time(copier(setting)).duration / .milliseconds(1)
        }
        say(table)
      }
    }
  }

  /// `CopySession.mayClone`: whether small files share blocks where that can be.
  func clones() throws -> SettingsTable {
    let settings = ["--reflink=never", "--reflink=always"]
    var table = SettingsTable(
      "Clones of small files",
      unit: "µs a file",
      settings: ["the copier's choice"] + settings.map { "`\($0)`" },
      text: """
        `fastcp -a` of files that are where they belong, in an image in memory, or were written to
        one on a disk a moment ago. The copier clones those of which all is on the disk.
        """
    )
    let files = size.count(smoke: 20, quick: 2_000, full: 4_000)
    for kind in ["xfs", "btrfs"] {
      for isWritten in [true, false] {
        for length in [1, 16, 64] {
          var scene = programs.tree(files: files, ["--size", "\(length << 10)", "--spread", "100"])
          scene.kind = kind
          scene.isWritten = isWritten
          scene.disk = isWritten ? nil : programs.disk
          scene.room += files * length / 512
          let name = "\(kind), \(length) KiB, \(isWritten ? "on the disk" : "just written")"
          try table.measure(name, rounds: rounds) { setting in
            let options = setting == 0 ? [] : [settings[setting - 1]]
            return try scene.time(.fastcp(["-a"] + options)).duration / .microseconds(files)
          }
          say(table)
        }
      }
    }
    return table
  }

  /// `CopyPlan.oneShotLimit`: up to which length a file has its name before its bytes.
  func appearance() throws -> SettingsTable {
    var table = SettingsTable(
      "Files that appear whole",
      unit: "µs a file",
      settings: ["`-r`", "`-r --atomic`"],
      text: """
        Files up to 64 KiB (`CopyPlan.oneShotLimit`) are made under their names, closed to others
        until they are complete; longer ones, and with `--atomic` all, get their names then.
        """
    )
    let files = size.count(smoke: 20, quick: 2_000, full: 8_000)
    for kind in kinds {
      for length in [1, 16, 64, 128] {
        var scene = programs.tree(files: files, ["--size", "\(length << 10)", "--spread", "100"])
        scene.kind = kind
        scene.describesCopy = false
        scene.room += files * length / 512
        try table.measure("\(kind), \(length) KiB", rounds: rounds) { setting in
          let options = ["-r", "--reflink=never"] + (setting == 0 ? [] : ["--atomic"])
          return try scene.time(.fastcp(options)).duration / .microseconds(files)
        }
        say(table)
      }
    }
    return table
  }
}
