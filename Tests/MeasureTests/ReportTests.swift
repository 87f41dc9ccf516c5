@testable import IOChannelsMeasure
import Testing

/// What people and programs get to read of the results.
@Suite("Reports") struct ReportTests {
  private static func row(
    _ id: String,
    work: String = "work",
    rival: String = "rival",
    goal: Double = 2,
    ours: Double = 1,
    theirs: Double = 3
  ) -> Row {
    Row(id: id, work: work, rival: rival, goal: goal) { _ in
      Sides(ours: { ours }, theirs: { theirs })
    }
  }

  private static func report(_ rows: [Row]) throws -> Report {
    var report = Report(environment: ["kernel": "6.18", "processor": "one"])
    for row in rows { report.add(try Measurement(of: row, size: .smoke) { _ in }) }
    return report
  }

  @Test("A table has a line for each row, with goal, ratio, figures and verdict")
  func table() throws {
    let report = try Self.report([Self.row("met"), Self.row("missed", goal: 3.5)])
    let lines = report.markdown().split(separator: "\n").map(String.init)
    #expect(lines.contains("| kernel | 6.18 |"))
    let figures = "3.000 | 3.000 to 3.000 | 3.000 | 1.000 s | 3.000 s"
    #expect(lines.contains("| met | work | rival | ≥ 2.0 | \(figures) | | | | | yes |"))
    #expect(lines.contains { $0.hasPrefix("| missed | ") && $0.hasSuffix(" | no |") })
  }

  @Test("Beside times stand the processor time and the sleeps of both sides, the medians")
  func uses() throws {
    @Sendable func timing(_ seconds: Double, _ sleeps: Double) -> Timing {
      Timing(duration: .seconds(1), use: ProcessorUse(seconds: seconds, sleeps: sleeps))
    }
    let row = Row(id: "B7", work: "work", rival: "rival", goal: 1) { _ in
      var ours = [timing(9, 9), timing(0.5, 20), timing(0.25, 30), timing(2, 10)]
      return Sides(ours: { ours.removeFirst() }, theirs: { timing(4, 1000) })
    }
    var report = Report(environment: [:])
    report.add(try Measurement(of: row, size: .quick) { _ in })
    let text = try Report(json: report.json()).markdown()
    #expect(text.contains("| 1.000 s | 1.000 s | 0.500 s, 4.000 s | 20, 1000 | | | yes |"))
  }

  @Test("Tails stand beside the times of rows that have them")
  func tails() throws {
    let nanoseconds = (1...1000).map { UInt64($0) * 1000 }
    let tail = Tail(nanoseconds: nanoseconds.shuffled())
    #expect(tail == Tail(p99: 991, p999: 1000))
    #expect(Tail(nanoseconds: []) == Tail(p99: 0, p999: 0))
    let row = Row(id: "B7", work: "work", rival: "rival", goal: 1) { _ in
      Sides(ours: { 1 }, theirs: { 1 }).with { (tail, Tail(p99: 2, p999: 3)) }
    }
    var report = Report(environment: [:])
    report.add(try Measurement(of: row, size: .quick) { _ in })
    let text = try Report(json: report.json()).markdown()
    #expect(text.contains("| | | 991.0, 1000.0 µs; 2.0, 3.0 µs | | yes |"))
  }

  @Test("Each part has a table and a chart of its own, and the first rows have one")
  func parts() throws {
    let ids = ["B2.dispatch", "B8", "B9.async", "B12.items", "B13.ext4", "B20"]
    let report = try Report(json: Self.report(ids.map { Self.row($0) }).json())
    let lines = report.markdown().split(separator: "\n").map(String.init)
    let order = lines.compactMap { line in
      line.hasPrefix("## ") ? line : ids.first { line.hasPrefix("| \($0) ") }
    }
    let titles = ReportPart.allCases.map { "## \($0.title)" }
    #expect(
      order == [
        titles[0], "B2.dispatch", "B8", titles[1], "B9.async", "B12.items", titles[2], "B13.ext4",
        "B20",
      ]
    )
    #expect(lines.contains("![Copies](latest-copies.svg)"))
    let chart = Chart(report.part(.copies), title: "Copies").svg()
    #expect(chart.contains("Copies: how many") && chart.contains(">B20 "))
    #expect(!chart.contains(">B8 "))
    #expect(Chart(report.headline).svg().contains(">B8 "))
    #expect(!Chart(report.headline).svg().contains(">B20 "))
  }

  @Test("A goal that changed since decides anew, and what was measured stays")
  func changedGoals() throws {
    let rows = [Self.row("higher"), Self.row("lower", goal: 4), Self.row("kept")]
    var report = try Report(json: Self.report(rows).json())
    let lower = Self.row("lower", work: "in other words", goal: 3)
    report.hold(against: [Self.row("higher", goal: 3.5), lower, Self.row("kept")])
    let verdicts = report.rows.map { "\($0.id) \($0.goal) \($0.ratio) \($0.met)" }
    #expect(verdicts == ["higher 3.5 3.0 false", "lower 3.0 3.0 true", "kept 2.0 3.0 true"])
    #expect(report.rows.map(\.work) == ["work", "in other words", "work"])
  }

  @Test("A row measured beside another tool, or removed since, is no result")
  func changedRivals() throws {
    var report = try Self.report(["kept", "beside another", "gone"].map { Self.row($0) })
    report.hold(against: [Self.row("kept"), Self.row("beside another", rival: "another")])
    #expect(report.rows.map(\.id) == ["kept"])
  }

  @Test("Each row names the revision that it was measured with")
  func revisions() throws {
    var report = Report(environment: ["revision": "one"])
    report.add(try Measurement(of: Self.row("first"), size: .smoke) { _ in })
    report = try Report(json: report.json())
    report.revision = "two"
    report.add(try Measurement(of: Self.row("second"), size: .smoke) { _ in })
    let read = try Report(json: report.json())
    #expect(read.rows.map(\.revision) == ["one", "two"])
    #expect(read.markdown().contains("| | | two | yes |"))
  }

  @Test("Rows that were not measured follow the tables with their reasons")
  func gaps() throws {
    var report = try Self.report([])
    report.add(skipped: Self.row("lost"), reason: "no loop device")
    #expect(report.markdown().hasSuffix("\nNot measured:\n\n- lost: no loop device\n"))
  }

  @Test("Rows that were measured later stand in their places")
  func order() throws {
    var report = try Self.report(["B8", "B1", "B5"].map { Self.row($0) })
    for name in ["B7", "B2"] { report.add(skipped: Self.row(name), reason: "\(name) waits") }
    report.sort(as: ["B1", "B2", "B5", "B7", "B8"])
    let lines = report.markdown().split(separator: "\n")
    let names = lines.compactMap { $0.split(whereSeparator: { " :|-".contains($0) }).first }
    #expect(names.filter { $0.hasPrefix("B") } == ["B1", "B5", "B8", "B2", "B7"])
  }

  @Test("The figures for programs are those of the pages")
  func json() throws {
    let text = String(decoding: try Self.report([Self.row("met")]).json(), as: UTF8.self)
    for part in ["\"id\" : \"met\"", "\"ratio\" : 3", "\"goal\" : 2", "\"met\" : true"] {
      #expect(text.contains(part), "\(part)")
    }
  }

  @Test("A chart has a bar for each row, and what the rows say cannot break it")
  func chart() throws {
    let rows = [Self.row("win", rival: "a & b <c>"), Self.row("loss", ours: 4, theirs: 1)]
    let svg = Chart(try Self.report(rows)).svg()
    #expect(svg.contains("3.00×, goal 2.00 met"))
    #expect(svg.contains("0.25×, goal 2.00 missed"))
    #expect(svg.contains("beside a &amp; b &lt;c>"))
    #expect(svg.hasPrefix("<svg ") && svg.hasSuffix("</svg>\n"))
    // A bar and the line's ground for each row, and the ground of all.
    #expect(svg.components(of: "<rect ") == 3)
    #expect(!svg.contains("<path "))
  }

  @Test("A bar beyond a hundred ends in a point, and leaves room for the others")
  func farAhead() throws {
    func width(_ rows: [Row]) throws -> Substring? {
      let svg = Chart(try Self.report(rows)).svg()
      #expect(svg.components(of: "<path ") == rows.count - 1)
      return svg.split(separator: "<rect ").dropFirst(2).first?.split(separator: "\"")
        .dropFirst(5).first
    }
    let (near, far) = (Self.row("near", theirs: 90), Self.row("far", theirs: 150))
    let farther = Self.row("farther", theirs: 15_000)
    let (room, roomBesideFarther) = (try width([near, far]), try width([near, farther]))
    #expect(room != nil && room == roomBesideFarther)
  }

  @Test("The first table has the chosen rows, and below it all that are missed or lost have a word")
  func headline() throws {
    let report = try Self.report([
      Self.row("B7", ours: 3, theirs: 1), Self.row("unlisted"), Self.row("missed", goal: 4),
      Self.row("lost", goal: 0.5, ours: 4),
    ])
    let page = """
      # Before
      <!-- Written by scripts/bench, to the end of the table. -->
      | old |
      <!-- The end of the table. -->
      after
      """
    let text = try #require(report.replacingHeadline(in: page))
    #expect(text.hasPrefix("# Before\n<!-- Written"))
    #expect(text.hasSuffix("\n\n<!-- The end of the table. -->\nafter"))
    #expect(text.contains("processor: one; kernel: 6.18. "))
    #expect(text.contains("| work (B7) | rival | 0.33 | 0.33 to 0.33 | 2.00 | no |\n"))
    let slower = "- 2 of 4 rows are slower than the alternative, or have the higher count: "
    #expect(text.contains(slower))
    #expect(text.contains(" count: `B7` 0.33, `lost` 0.75\n"))
    let missed = "- 2 of 4 rows miss their goals: `B7` 0.33, `missed` 3.00\n"
    #expect(text.contains(missed) && report.markdown().contains(missed))
    #expect(!text.contains("old") && !text.contains("unlisted"))
    #expect(report.replacingHeadline(in: text) == text)
    #expect(report.replacingHeadline(in: "# Before") == nil)
  }

  @Test("A goal that some pairs meet and some miss has a word below the first table")
  func openGoals() throws {
    var report = Report(environment: [:])
    for (id, goal) in [("B7", 1.5), ("B8", 2.5), ("B19", 3.5)] {
      let row = Row(id: id, work: "work", rival: "rival", goal: goal) { _ in
        var theirs = [2.0, 3, 3]
        return Sides(ours: { 1 }, theirs: { theirs.removeFirst() })
      }
      report.add(try Measurement(of: row, size: .quick) { _ in })
    }
    #expect(report.rows.map(\.isOpen) == [false, true, false])
    let page = """
      <!-- Written by scripts/bench, to the end of the table. -->
      <!-- The end of the table. -->
      """
    let text = try #require(report.replacingHeadline(in: page))
    let word = "- 1 of 3 rows have pairs on both sides of their goals: `B8` 3.00\n"
    #expect(text.contains(word))
  }

  @Test("The results of a full run name no sizes of other runs")
  func sizes() throws {
    let row = Self.row("B7", work: "a file (quick: none) of bytes")
    for (size, work) in [("quick", row.work), ("full", "a file of bytes")] {
      var report = Report(environment: ["size": size])
      report.add(try Measurement(of: row, size: .smoke) { _ in })
      #expect(report.markdown().contains("| B7 | \(work) |"))
      #expect(Chart(report).svg().contains(">\(work)<"))
    }
  }

  @Test("A chart shows all of the words of a row, and where and with what it was measured")
  func wholeWords() throws {
    let work = (0..<30).map { "word\($0)" }.joined(separator: " ")
    var report = try Self.report([Self.row("B7", work: work)])
    let names = ["disk", "date", "revision", "fio"]
    for name in names { report.describe(name, "some \(name)") }
    let svg = Chart(report).svg()
    for word in work.split(separator: " ") { #expect(svg.contains(word), "\(word)") }
    #expect(svg.components(of: ">word") == 3)
    for name in names { #expect(svg.contains("some \(name)")) }
  }

  @Test("A goal beyond what a chart covers has no notch, but stands beside the bar")
  func farGoal() throws {
    let row = Self.row("B11.append", goal: 1000, theirs: 15_000)
    let svg = Chart(try Self.report([row])).svg()
    #expect(svg.contains("15000×, goal 1000 met"))
    #expect(svg.components(of: "stroke-width=\"2\"") == 0)
    #expect(Chart(try Self.report([Self.row("B7")])).svg().components(of: "stroke-width") == 1)
  }

  @Test("A ratio has enough digits to differ from its goal, and a loss from a tie")
  func digits() throws {
    let ratios = [(0.596, 0.6), (0.6, 0.6), (0.996, 0.9), (1.0, 0.9), (2.5, 2)]
    let report = try Self.report(ratios.map { Self.row("B7", goal: $1, ours: 1, theirs: $0) })
    #expect(report.rows.map(\.shownRatio) == ["0.596", "0.60", "0.996", "1.00", "2.50"])
  }

  @Test("A result of nothing has a chart too")
  func emptyChart() throws {
    #expect(Chart(try Self.report([])).svg().hasSuffix("</svg>\n"))
  }
}

extension String {
  /// How often a text occurs.
  fileprivate func components(of text: String) -> Int {
    self.split(separator: text, omittingEmptySubsequences: false).count - 1
  }
}
