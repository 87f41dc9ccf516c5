import FileCopy
import IOChannelsTestSupport
import Testing

@testable import fastcp

/// Options about existing files in every order, beside what GNU cp 9.11 does.
@Suite("Order of options about existing files", .ends(withinMinutes: 10))
struct OverwriteOrderTests {
  /// One line of the table.
  struct Row: Sendable {
    /// The options in their order.
    var options: [String]
    /// What cp does, in the order of `cases`.
    var outcomes: [String]
  }

  /// When the existing file was written, beside the source, and the answer.
  static let cases = [
    ("2000-01-01", "y"), ("2000-01-01", "n"), ("2001-01-01", "y"), ("2001-01-01", "n"),
    ("2002-01-01", "y"), ("2002-01-01", "n"),
  ]

  static func rows() throws -> [Row] {
    let here = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    let table = here.dropLast(2).joined(separator: "/") + "/Tables/overwriting.txt"
    return try runSuccessfully(["cat", table]).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }
      .map { line in
        let parts = line.split(separator: ":")
        return Row(
          options: parts[0].split(separator: " ").map(String.init),
          outcomes: parts[1].split(separator: " ").map(String.init)
        )
      }
  }

  @Test("The table has each sequence of one to three options once (T8)")
  func table() throws {
    let rows = try OverwriteOrderTests.rows()
    #expect(rows.count == 8 + 8 * 8 + 8 * 8 * 8)
    #expect(Set(rows.map(\.options)).count == rows.count)
    #expect(Set(rows.flatMap(\.options)).count == 8)
    #expect(rows.allSatisfy { $0.outcomes.count == OverwriteOrderTests.cases.count })
  }

  /// What the options of a row ask for, as an outcome for each case.
  private func expected(_ options: CopyOptions) -> [String] {
    OverwriteOrderTests.cases.map { time, answer in
      if options.existing.rule == .never { return "--0" }
      if options.existing.rule == .failing { return "--1" }
      if options.existing.updatesOnly && time != "2000-01-01" { return "--0" }
      if options.existing.rule == .always { return "-o0" }
      return answer == "y" ? "ao0" : "a-1"
    }
  }

  @Test("All sequences ask for what cp does (T8)")
  func requests() throws {
    for row in try OverwriteOrderTests.rows() {
      let words = (row.options + ["f", "g"]).map { BytePath($0) }
      guard case .copy(let request) = try Command(ArgumentParser().parse(words)) else {
        Issue.record("\(row.options) is no copy")
        continue
      }
      #expect(expected(request.options) == row.outcomes, "\(row.options)")
    }
  }

  @Test("The command does what cp does (T8, T9)")
  func outcomes() throws {
    let place = try TemporaryDirectory()
    let rows = try OverwriteOrderTests.rows()
    let step = Tier.count(quick: 8, full: 1)
    var script: [String] = []
    var expected: [String] = []
    for (index, row) in rows.enumerated() where index % step == 0 {
      for (number, (time, answer)) in OverwriteOrderTests.cases.enumerated()
      where Tier.current == .full || number == index / step % 6 {
        script.append("r \(time) \(answer) \(row.options.joined(separator: " "))")
        expected.append("\(row.options) \(time) \(answer): \(row.outcomes[number])")
      }
    }
    try runSuccessfully(
      ["bash", "-c", "cat >rows"],
      directory: place.path,
      input: Array(script.joined(separator: "\n").utf8)
    )
    let output = try runSuccessfully(
      [
        "bash", "-ec",
        """
        echo 1 >f; touch -d 2001-01-01 f
        r() { echo 2 >g; touch -d $1 g; a=$2; shift 2; s=0
          "$0" "$@" f g <<<$a >/dev/null 2>e || s=$?
          o=--; if grep -q overwrite e; then o=a-; fi
          if [ $(<g) = 1 ]; then o=${o%-}o; fi
          echo $o$s; }
        . ./rows
        """, BuiltProgram.fastcp.path,
      ],
      directory: place.path,
      timeout: .seconds(1200)
    )
    let found = output.split(separator: "\n")
    try #require(found.count == expected.count)
    for (line, outcome) in zip(expected, found) {
      #expect(line.hasSuffix(": \(outcome)"), "\(line), here \(outcome)")
    }
  }
}
