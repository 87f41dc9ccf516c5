import Foundation
import IOChannelsTestSupport
import Testing

@testable import FileCopy
@testable import fastcp

/// What is told of a copy, for people and for programs.
@Suite("Output", .ends(withinMinutes: 10))
struct OutputTests {
  @Test("Whatever bytes a name has, its object is valid JSON and gives the bytes back (T37)")
  func names() throws {
    let all = (1...255).map { UInt8($0) }
    var names = all.map { BytePath(bytes: [$0]) } + [BytePath(bytes: all)]
    names += ["é\u{301}😀\u{2028}\u{85}", "a\"b\\c\n\t", BytePath(bytes: [0xed, 0xa0, 0x80])]
    for name in names {
      var line = JSONLine(type: "file")
      line.add("source", name)
      #expect(!line.text.utf8.contains { $0 < 0x20 || $0 == 0x7f })
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(line.text.utf8)) as? [String: String]
      )
      if let digits = object["source_hex"] {
        #expect(digits == name.bytes.map { String(format: "%02x", $0) }.joined())
      } else {
        #expect(object["source"].map { BytePath($0) } == name)
      }
    }
  }

  @Test("Keys and names of methods are words of lower case with underscores between them")
  func keys() throws {
    var report = CopyReport()
    for method in CopyMethod.allCases { report.methods[method] = 1 }
    for check in [CopyCheck.disk, .cached, .shared] { report.checkCounts[check] = 1 }
    report.declinedCount = 1
    var progress = CopyProgress()
    progress.isCounted = true
    let summary = Summary(report: report).json(status: 1)
    var lines = [summary, ProgressLine(progress: progress, rate: RateEstimate()).json]
    for method in CopyMethod.allCases {
      lines.append(
        JSONLine(
          CopyRecord(kind: .file(method), source: "a", destination: "b", byteCount: 1, check: .disk)
        )
      )
    }
    func isPlain(_ word: String) -> Bool {
      !word.isEmpty && word.allSatisfy { ("a"..."z").contains($0) || $0 == "_" }
    }
    for line in lines {
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(line.text.utf8)) as? [String: Any]
      )
      let inner = object.values.compactMap { $0 as? [String: Any] }
      #expect((Array(object.keys) + inner.flatMap(\.keys)).allSatisfy(isPlain), "\(line.text)")
      #expect((object["method"] as? String).map(isPlain) ?? true, "\(line.text)")
    }
    #expect(summary.text.contains(#""one_shot":1"#) && summary.text.contains(#""non_zero":1"#))
  }

  @Test("Every file has an object with its method, and the last object sums up")
  func objects() throws {
    let place = try TemporaryDirectory()
    try runSuccessfully(
      [
        "bash", "-ec",
        #"""
        mkdir s; echo 1 >s/small; head -c 1M /dev/urandom >s/large; truncate -s 9M s/holes
        ln -s x s/link; ln s/small s/other; mkfifo s/fifo; : >s/$'new\nline\xff'
        mkdir -p to/s/large
        """#,
      ],
      directory: place.path
    )
    let outcome = try run(
      [BuiltProgram.fastcp.path, "-av", "--debug", "--stats", "--json", "s", "missing", "to"],
      directory: place.path
    )
    #expect(outcome.status == 1)
    let objects = try outcome.outputText.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    func named(_ name: String) -> [String: Any]? {
      objects.first { $0["source"] as? String == name }
    }
    #expect(named("s/small")?["type"] as? String != nil)
    #expect(named("s/holes")?["method"] as? String == "sparse")
    #expect(named("s/link")?["type"] as? String == "symlink")
    #expect(named("s/fifo")?["type"] as? String == "special")
    #expect(named("s/new\nline\u{fffd}")?["source_hex"] as? String == "732f6e65770a6c696e65ff")
    let kinds = [named("s/small"), named("s/other")].map { $0?["type"] as? String ?? "" }
    #expect(kinds.sorted() == ["file", "hardlink"])
    let errors = objects.filter { $0["type"] as? String == "error" }
    #expect(Set(errors.compactMap { $0["path"] as? String }) == ["missing", "to/s/large"])
    let messages = outcome.errorLines.filter { $0.hasPrefix("fastcp: ") }
    #expect(messages.count == 2)
    // With objects on standard output, the text of --stats is on standard error.
    let statistics = outcome.errorLines.dropFirst(messages.count)
    #expect(statistics.first?.hasPrefix("3 files, 9.0 MiB (") == true)
    #expect(statistics.last?.hasSuffix("1 symbolic link, 1 hard link, 1 special file") == true)
    let summary = try JSONSummary(outcome)
    #expect(summary.number("files") == 3)
    #expect(summary.number("errors") == 2)
    #expect(summary.number("status") == 1)
    #expect(summary.number("hole_bytes") == 9 << 20)
  }

  @Test("The summary names files, bytes, time and failures")
  func statistics() throws {
    var report = CopyReport()
    report.fileCount = 12_345
    report.byteCount = 1 << 32
    report.clonedByteCount = 1 << 31
    report.holeByteCount = 5 << 20
    report.elapsed = .seconds(16)
    report.failureCount = 1
    report.hardLinkCount = 1
    report.directoryCount = 2000
    #expect(
      Summary(report: report).text == """
        12,345 files, 4.0 GiB (2.0 GiB shared, 5.0 MiB in holes) in 16.0 s, 256 MiB/s, 1 error
        2,000 directories, 1 hard link

        """
    )
    // A rate of no bytes means nothing.
    var stopped = CopyReport()
    stopped.elapsed = .seconds(2)
    stopped.isStopped = true
    #expect(Summary(report: stopped).text == "0 files, 0 B in 2.000 s, stopped\n")
    let place = try TemporaryDirectory()
    let outcome = try run(
      ["bash", "-c", "echo 1 >f; \"$0\" --stats f g", BuiltProgram.fastcp.path],
      directory: place.path
    )
    #expect(outcome.outputText.hasPrefix("1 file, 2 B in 0."), "\(outcome)")
    #expect(outcome.errors.isEmpty)
  }

  @Test("The totals of --debug have the singular of one file")
  func totals() throws {
    let place = try TemporaryDirectory()
    let outcome = try run(
      ["bash", "-c", "echo 1 >f; \"$0\" --debug f g", BuiltProgram.fastcp.path],
      directory: place.path
    )
    let total = outcome.outputText.split(separator: "\n").first { $0.hasPrefix("total: ") }
    #expect(total?.hasPrefix("total: 1 file (1 ") == true, "\(outcome)")
    #expect(total?.contains(", 0 directories, 0 symbolic links, 0 hard links, ") == true)
    #expect(total?.contains(", 2 bytes, ") == true)
  }

  @Test("Progress for programs is an object a line on standard error")
  func progressObjects() throws {
    let place = try TemporaryDirectory()
    let outcome = try run(
      ["bash", "-c", "echo 1 >f; \"$0\" --progress=json f g", BuiltProgram.fastcp.path],
      directory: place.path
    )
    #expect(outcome.succeeded && outcome.output.isEmpty)
    let last = try #require(outcome.errorLines.last)
    let object = try JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Any]
    #expect(object?["files"] as? Int == 1)
    #expect(object?["bytes"] as? Int == 2)
  }

  @Test("Progress names the file that is being copied, and none at the end")
  func currentFile() throws {
    let place = try TemporaryDirectory()
    let script = "mkfifo p; (exec 3>p; sleep 2; echo 1 >&3) & \"$0\" --progress=json p g"
    let outcome = try run(["bash", "-c", script, BuiltProgram.fastcp.path], directory: place.path)
    #expect(outcome.succeeded)
    #expect(outcome.errorLines.first?.contains(#""source":"p""#) == true, "\(outcome)")
    #expect(outcome.errorLines.last?.contains("source") == false, "\(outcome)")
  }

  @Test("A block device has a total, and a FIFO has none", .needs(.loop))
  func totalsOfDevices() throws {
    let place = try TemporaryDirectory()
    let device =
      "truncate -s 3M image; p=$(losetup -f --show image); trap 'losetup -d $p' EXIT"
    let fifo = "mkfifo p; head -c 3M /dev/zero >p & p=p"
    for (prepare, total) in [(device, 3 << 20), (fifo, nil)] as [(String, Int?)] {
      let outcome = try run(
        ["bash", "-c", "\(prepare); \"$0\" --progress=json $p g", BuiltProgram.fastcp.path],
        directory: place.path
      )
      #expect(outcome.succeeded, "\(outcome)")
      let last = try #require(outcome.errorLines.last)
      let object = try JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Any]
      #expect(object?["bytes"] as? Int == 3 << 20, "\(outcome)")
      #expect(object?["bytes_total"] as? Int == total, "\(outcome)")
    }
  }

  @Test("The bytes of a file that failed are no progress", .needs(.root))
  func failedBytes() throws {
    let small = try MemoryFileSystem(kibibytes: 256)
    let place = try TemporaryDirectory()
    let outcome = try run(
      [
        "bash", "-c",
        "head -c 1M /dev/urandom >f; echo 12345 >g; \"$0\" --jobs=1 --progress=json f g \"$TO\"",
        BuiltProgram.fastcp.path,
      ],
      environment: ["TO": small.path],
      directory: place.path
    )
    #expect(outcome.status == 1)
    let last = try #require(outcome.errorLines.last)
    let object = try JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Any]
    #expect(object?["bytes"] as? Int == 6, "\(outcome)")
    #expect(object?["files"] as? Int == 2)
    #expect(object?["errors"] as? Int == 1)
  }

  @Test("By default nothing is drawn where standard error is no terminal, or a poor one")
  func noBar() throws {
    let place = try TemporaryDirectory()
    // The copy is under way for a second before its source ends.
    let script = "mkfifo p; (exec 3>p; sleep 1; echo 1 >&3) & \"$0\" p g"
    let plain = try run(["bash", "-c", script, BuiltProgram.fastcp.path], directory: place.path)
    #expect(plain.succeeded && plain.errors.isEmpty && plain.output.isEmpty, "\(plain)")
    for (terminal, draws) in [("dumb", false), ("xterm", true)] {
      let place = try TemporaryDirectory()
      let outcome = try run(
        [
          "script", "-qec", script.split(separator: "$0").joined(separator: "$PROGRAM"),
          "/dev/null",
        ],
        environment: ["TERM": terminal, "PROGRAM": BuiltProgram.fastcp.path, "COLUMNS": "30"],
        directory: place.path
      )
      #expect(outcome.outputText.contains("\u{1b}[K") == draws, "\(outcome)")
      for line in outcome.outputText.split(separator: "\u{1b}[K").dropFirst() {
        #expect(line.prefix { $0 != "\r" }.count < 30)
      }
      // At the end the line is gone.
      if draws { #expect(outcome.outputText.hasSuffix("\r\u{1b}[K"), "\(outcome)") }
    }
  }

  @Test("A job in the background draws nothing, and a terminal with tostop does not stop it")
  func background() throws {
    let place = try TemporaryDirectory()
    let outcome = try run(
      ["script", "-qec", "bash -c \"$SCRIPT\"", "/dev/null"],
      environment: [
        "TERM": "xterm", "PROGRAM": BuiltProgram.fastcp.path,
        "SCRIPT": """
        stty tostop; set -m; mkfifo p; (exec 3>p; sleep 1; echo 1 >&3) &
        "$PROGRAM" --progress p g & wait $!; echo "status $? $(cat g)"
        """,
      ],
      directory: place.path
    )
    #expect(outcome.outputText.contains("status 0 1"), "\(outcome)")
    #expect(!outcome.outputText.contains("\u{1b}[K"), "\(outcome)")
  }

  @Test("Messages push the drawn line away")
  func messages() throws {
    let place = try TemporaryDirectory()
    let outcome = try run(
      [
        "script", "-qec",
        "mkdir to; cd to; mkfifo ../p; (exec 3>../p; sleep 0.3; echo 1 >&3) & "
          + "\"$PROGRAM\" --jobs=1 --progress ../p missing .", "/dev/null",
      ],
      environment: ["TERM": "xterm", "PROGRAM": BuiltProgram.fastcp.path],
      directory: place.path
    )
    #expect(
      outcome.outputText.contains("\u{1b}[Kfastcp: cannot stat 'missing'"),
      "\(outcome)"
    )
  }

  @Test("By default four jobs a processor that the process may use, up to eight, or one")
  func jobs() throws {
    let place = try TemporaryDirectory()
    try runSuccessfully(["bash", "-c", "echo 1 >f"], directory: place.path)
    func jobs(_ prefix: [String], _ options: [String] = []) throws -> Int? {
      let outcome = try run(
        prefix + [BuiltProgram.fastcp.path, "--json"] + options + ["f", "g"],
        directory: place.path
      )
      return try JSONSummary(outcome).number("jobs")
    }
    let all = try Int(runSuccessfully(["nproc"]).dropLast())
    let usual = try #require(try jobs([], ["-r"]))
    #expect(usual <= max(8, all ?? 0))
    #expect(try jobs(["taskset", "-c", "0"], ["-r"]) == 4)
    // One file has one job.
    #expect(try jobs([]) == 1)
    #expect(try jobs(["taskset", "-c", "0"], ["--jobs=7"]) == 7)
  }
}

/// The object that sums a copy up.
struct JSONSummary {
  private let object: [String: Any]

  init(_ outcome: Outcome) throws {
    let line = outcome.outputText.split(separator: "\n").last ?? ""
    let parsed = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    guard let parsed, parsed["type"] as? String == "summary" else {
      throw TestFailure("no summary: \(outcome)")
    }
    object = parsed
  }

  /// A number of the summary.
  func number(_ key: String) -> Int? { object[key] as? Int }

  /// A Boolean value of the summary.
  func flag(_ key: String) -> Bool? { object[key] as? Bool }
}
