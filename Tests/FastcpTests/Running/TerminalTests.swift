import IOChannelsTestSupport
import Testing

/// The command on a terminal that a user types on.
@Suite("Terminals", .ends(withinMinutes: 10))
struct TerminalTests {
  @Test("A screen wraps long lines, and clears only the last one")
  func screen() {
    func lines(_ text: String) -> [String] {
      TerminalScreen(Array(text.utf8), columns: 5).lines
    }
    #expect(lines("abc\r\u{1b}[Kx\r\n\ny") == ["x", "y"])
    #expect(lines("abcde\r\u{1b}[Kx") == ["x"])
    #expect(lines("abcdef\r\u{1b}[Kx") == ["abcde", "x"])
  }

  @Test("After Ctrl-C on a narrow terminal only the summary is left", arguments: [16, 17, 18, 40])
  func interrupt(columns: Int) throws {
    let place = try TemporaryDirectory()
    let outcome = try run(
      [
        "bash", "-c",
        """
        mkfifo p
        { until grep -q ' B' log; do sleep 0.05; done; printf '\\003'; sleep 1; } 2>/dev/null |
          script -qfec 'exec bash -c "$SCRIPT"' log
        """,
      ],
      environment: [
        "TERM": "xterm", "COLUMNS": "\(columns)", "PROGRAM": BuiltProgram.fastcp.path,
        "SCRIPT": "(trap '' INT; exec 3>p; exec sleep 30) & exec \"$PROGRAM\" --progress p g",
      ],
      directory: place.path
    )
    #expect(outcome.outputText.contains("^C"), "\(outcome)")
    let text = TerminalScreen(outcome.output, columns: columns).lines.joined()
    #expect(text.hasPrefix("0 files, 0 B in ") && text.hasSuffix(", stopped"), "\(outcome)")
  }
}
