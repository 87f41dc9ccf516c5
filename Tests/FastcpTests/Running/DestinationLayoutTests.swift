import IOChannelsTestSupport
import Testing

/// The layout of copies to several destinations, of which some may be missing.
@Suite("The layout of several copies")
struct DestinationLayoutTests {
  /// The options, the destinations, and the refused one with the reason.
  private static let refusals = [
    ("-r", "s", "missing", "dir", "target 'missing': No such file or directory"),
    ("-r", "s", "dir", "missing", "target 'missing': No such file or directory"),
    ("-r", "s", "dir", "missing/", "target 'missing/': No such file or directory"),
    ("-r", "s", "dangling", "dir", "target 'dangling': No such file or directory"),
    ("-p", "f", "dir", "missing", "target 'missing': No such file or directory"),
    ("-p", "f", "file", "dir", "target 'file': Not a directory"),
    ("-n", "f", "dir", "file", "target 'file': Not a directory"),
  ]

  @Test("A directory for the source and a name for the copy are refused (T74)", arguments: refusals)
  func refused(option: String, source: String, second: String, first: String, text: String) throws {
    let scene = try Scene("mkdir s dir; echo 1 >s/f; echo 2 >f; echo 3 >file; ln -s gone dangling")
    let before = try scene.shell("find . | sort; cat file")
    for more in ["--quiet", "--dry-run"] {
      let outcome = try scene.copy(option, more, "--also-to=\(second)", source, first)
      #expect(outcome.status == 1 && outcome.errorLines == ["fastcp: \(text)"], "\(outcome)")
      #expect(try scene.shell("find . | sort; cat file") == before)
    }
  }

  @Test("Directories for the source, or names for the copies, are no mixture (T72, T74)")
  func accepted() throws {
    let scene = try Scene("mkdir s t u; echo 1 >s/f; echo 2 >g; echo 3 >h")
    for (options, first, second, copies) in [
      ("-r", "t", "u", "t/s/f u/s/f"), ("-r", "new", "new2", "new/f new2/f"),
      ("-rT", "t", "new3", "t/f new3/f"), ("-rT", "new4", "u", "new4/f u/f"),
    ] {
      let outcome = try scene.copy(options, "--also-to=\(second)", "s", first)
      #expect(outcome.succeeded, "\(outcome)")
      #expect(try scene.shell("cat \(copies)") == "1\n1\n")
    }
    #expect(try scene.copy("--also-to=h", "s/f", "i").succeeded)
    #expect(try scene.shell("cat h i") == "1\n1\n")
    // A destination that cannot be opened fails alone.
    let outcome = try scene.copy("--also-to=none/h", "s/f", "t")
    #expect(outcome.status == 1 && outcome.errorText.contains("copy to 'none/h' is incomplete"))
    #expect(try scene.shell("cat t/f") == "1\n")
  }
}
