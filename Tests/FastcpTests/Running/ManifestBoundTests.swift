import IOChannelsTestSupport
import Testing

/// `--check` with lists that have no end, and its output for programs.
@Suite("Bounds and objects of --check", .ends(withinMinutes: 5))
struct ManifestBoundTests {
  private static let bound = 1 << 20

  @Test("A line has a bound, whatever its file is (T67)")
  func endless() throws {
    let scene = try Scene("mkdir t")
    let device = try scene.copy(
      "--check=/dev/zero",
      "t",
      behind: ["bash", "-c", "ulimit -v 2000000; exec \"$@\"", "-"]
    )
    #expect(device.status == 1 && device.signal == 0, "\(device)")
    #expect(
      device.errorText == "fastcp: cannot use line 1 of '/dev/zero': more than 1048576 bytes\n"
    )
    try scene.shell("(printf '%032d  f\\n' 1; head -c \(Self.bound + 1) /dev/zero) >m")
    let file = try scene.copy("--check=m", "t")
    #expect(file.errorText == "fastcp: cannot use line 2 of 'm': more than 1048576 bytes\n")
  }

  @Test("A name that has as many bytes as fit is compared (T39, T67)")
  func longName() throws {
    let scene = try Scene("mkdir t; (printf '%032d  ' 1; yes d | head -c 1048541; echo) >m")
    try scene.shell("tr '\\n' / <m | sed 's/.$//' >n; echo >>n; [ $(wc -c <n) = 1048576 ]")
    let outcome = try scene.copy("--check=n", "t")
    #expect(outcome.status == 1 && outcome.errors.isEmpty, "\(outcome)")
    #expect(outcome.outputText.hasPrefix("missing: 'd/d/"))
  }

  @Test("--json prints an object for each difference, and a summary (T67)")
  func objects() throws {
    let scene = try Scene("mkdir -p s/d; for i in 1 2 3 4; do echo $i >s/d/$i; done")
    #expect(try scene.copy("-a", "--manifest=m", "s", "t").succeeded)
    let equal = try scene.copy("--check=m", "--json", "t")
    #expect(equal.succeeded, "\(equal)")
    #expect(try JSONSummary(equal).number("equal") == 4)
    try scene.shell("rm t/d/1; echo x >t/d/2; echo y >t/$'\\377'")
    let outcome = try scene.copy("--check=m", "--json", "--stats", "t")
    #expect(outcome.status == 1)
    #expect(
      outcome.outputText.split(separator: "\n").dropLast().sorted() == [
        #"{"type":"changed","path":"d/2"}"#,
        #"{"type":"extra","path":"\#u{fffd}","path_hex":"ff"}"#,
        #"{"type":"missing","path":"d/1"}"#,
      ],
      "\(outcome)"
    )
    #expect(
      outcome.errorText.hasPrefix("checked: 2 equal, 1 missing, 1 changed, 1 extra, 0 unreadable")
    )
    let summary = try JSONSummary(outcome)
    #expect(summary.number("status") == 1 && summary.number("missing") == 1, "\(outcome)")
    try scene.shell("echo x >>m")
    let flawed = try scene.copy("--check=m", "--json", "t")
    #expect(flawed.errorText == "fastcp: cannot use line 5 of 'm': no checksum and name\n")
    #expect(
      flawed.outputText == """
        {"type":"error","message":"cannot use line 5 of 'm': no checksum and name",\
        "path":"m","line":5}

        """
    )
  }
}
