import Foundation
import Measure

/// Settings of the copier for large files.
extension SettingsExperiment {
  /// `CopyWorker.chunkLength`, and whether the kernel copies better (`KernelCopyRule`).
  func pieces() throws -> SettingsTable {
    let ways = [
      ("buffer", 64), ("buffer", 256), ("buffer", 1024), ("buffer", 4096), ("kernel", 8192),
    ]
    var table = SettingsTable(
      "Pieces",
      unit: "ms",
      settings: ways.map { "\($0.0), \($0.1) KiB" },
      text: """
        A bare loop of reads and writes through one buffer, and one of copy_file_range. The copier
        has a buffer of 256 KiB, and lets the kernel copy only on file systems other than these.
        """
    )
    for kind in kinds {
      for megabytes in size == .smoke ? [1] : [1, 16, 128] {
        var scene = programs.file(megabytes: megabytes)
        scene.kind = kind
        try table.measure("\(kind), \(megabytes) MiB", rounds: rounds) { setting in
          try scene.measure { source, copy in
            let (way, piece) = ways[setting]
            let command = [programBeside("copyways"), way, "\(piece << 10)", source, copy]
            return try number(printedBy: command) * 1000
          }
        }
        say(table)
      }
    }
    return table
  }

  /// `PieceWindow`: how much is under way between two file systems.
  func windows() throws -> SettingsTable {
    let settings = [(1, 1024), (2, 1024), (4, 1024), (8, 1024), (4, 256), (16, 256), (4, 4096)]
    var table = SettingsTable(
      "Windows",
      unit: "ms",
      settings: settings.map { "\($0.0) of \($0.1) KiB" },
      text: """
        A file read through one channel and written through another, to another file system of the
        same kind, both in memory or both on a disk, with so many pieces under way. The copier has 4
        of 1 MiB (`PieceWindow`).
        """
    )
    for kind in kinds {
      for isCold in [false, true] {
        let megabytes = size.count(smoke: 1, quick: 128, full: 512)
        var scene = programs.file(megabytes: megabytes)
        scene.kind = kind
        scene.isAcross = true
        scene.disk = isCold ? programs.disk : nil
        let name = "\(kind), \(megabytes) MiB, \(isCold ? "cold" : "warm")"
        try table.measure(name, rounds: rounds) { setting in
          let (depth, piece) = settings[setting]
          let copy = WindowedCopy(depth: depth, pieceLength: piece << 10)
          let timing = try scene.measure { try copy.time(from: $0, to: $1) }
          return timing.duration / .milliseconds(1)
        }
        say(table)
      }
    }
    return table
  }

  /// `ReadAhead` and its window: how much is asked for ahead of a copy from a disk, and from which
  /// length on.
  func ahead() throws -> SettingsTable {
    let window = "Sources/FileCopy/Cache/ReadAheadWindow.swift"
    let reach = CompiledNumber("static let reach: Int64", in: window)
    let call = CompiledNumber("static let callLength: Int64", in: window)
    let least = CompiledNumber(
      "static let leastLength: Int64",
      in: "Sources/FileCopy/Cache/ReadAhead.swift"
    )
    let own = ("32 MiB by 256 KiB", reach, "32 << 20")
    let others = [
      ("nothing", least, ".max"), ("8 MiB", reach, "8 << 20"), ("128 MiB", reach, "128 << 20"),
      ("by 1 MiB", call, "1 << 20"), ("from 64 MiB on", least, "64 << 20"),
    ]
    let settings = size == .smoke ? [own] : [own] + others
    var table = SettingsTable(
      "Asked for ahead",
      unit: "ms",
      settings: settings.map(\.0),
      text: """
        Files that are not in memory, between two places of a file system on a disk. Of those of 1
        GiB and more (`ReadAhead.leastLength`) 32 MiB are asked for ahead of the copy, in calls of
        256 KiB (`ReadAheadWindow`).
        """
    )
    let builds = try builds(of: .fastcp, with: settings.map { ($0.1, $0.2) }, for: table)
    for kind in kinds {
      for megabytes in size == .smoke ? [1] : [512, 2048] {
        var scene = programs.file(megabytes: megabytes)
        scene.kind = kind
        scene.disk = programs.disk
        // Twice the longest, and what the file system has for itself.
        scene.gigabytes = 6
        try table.measure("\(kind), \(megabytes) MiB", rounds: rounds) { setting in
          let copier = Copier.built(builds[setting].programs, ["--reflink=never"])
          return try scene.time(copier).duration / .milliseconds(1)
        }
        say(table)
      }
    }
    return table
  }

  /// `CopySession.largeLength`: from which length on `--direct` passes the page cache.
  func direct() throws -> SettingsTable {
    let settings = ["never", "always"]
    var table = SettingsTable(
      "Past the page cache",
      unit: "ms",
      settings: settings.map { "`--direct=\($0)`" },
      text: """
        One file that is not in memory, between two places of a file system on a disk, until the
        copy is on it. `--direct` chooses so from 64 MiB on.
        """
    )
    for kind in kinds {
      for megabytes in size == .smoke ? [1] : [1, 4, 16, 64, 256, 1024] {
        if size == .quick && megabytes > 256 { continue }
        var scene = programs.file(megabytes: megabytes)
        scene.kind = kind
        scene.disk = programs.disk
        scene.untilWritten = true
        try table.measure("\(kind), \(megabytes) MiB", rounds: rounds) { setting in
          let options = ["--reflink=never", "--direct=\(settings[setting])"]
          return try scene.time(.fastcp(options)).duration / .milliseconds(1)
        }
        say(table)
      }
    }
    return table
  }
}
