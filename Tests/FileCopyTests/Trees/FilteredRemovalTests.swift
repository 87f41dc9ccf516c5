import IOChannelsTestSupport
import Testing

@testable import FileCopy

/// Names that a filter excludes stay in the destination.
@Suite("Removals beside a filter", .ends(withinMinutes: 10))
struct FilteredRemovalTests {
  private func mirroring(
    _ ignoredByGit: CopyFilter.IgnoredByGit = .included,
    excluding patterns: String...
  ) throws -> CopyOptions {
    var options = CopyOptions.archive
    options.deletion.removesExtraneous = true
    options.tree.filter.ignoredByGit = ignoredByGit
    for pattern in patterns { try options.tree.filter.exclude(pattern) }
    return options
  }

  /// The sorted paths of the destination, a line each.
  private func paths(in place: CopyPlace) throws -> [String] {
    let text = try place.shell("cd to; find . -mindepth 1 -printf '%P\\n' | LC_ALL=C sort")
    return text.split(separator: "\n").map(String.init)
  }

  @Test("Names that a pattern excludes stay, also inside a removed directory (T57)")
  func patterns() throws {
    let place = try CopyPlace()
    try place.shell(
      """
      mkdir -p s/d to/d to/x/y to/x/z to/build; echo 1 >s/f; echo 2 >s/d/a.o
      for f in a.o gone d/a.o d/b.o d/gone x/y/a.o x/y/gone x/z/gone build/gone
      do echo 3 >to/$f; done
      """
    )
    for isDryRun in [true, false] {
      var options = try mirroring(excluding: "*.o", "/build/")
      options.isDryRun = isDryRun
      let report = place.copy("s", to: "to", options, placing: .exactly)
      #expect(report.isComplete && report.removedCount == 5, "\(report.failures)")
    }
    #expect(
      try paths(in: place) == [
        "a.o", "build", "build/gone", "d", "d/a.o", "d/b.o", "f", "x", "x/y", "x/y/a.o",
      ]
    )
    // The excluded name of the source was not copied.
    #expect(try place.shell("cat to/d/a.o") == "3\n")
  }

  @Test("Names that git ignores stay if they are not copied (T57, T63)")
  func ignoredByGit() throws {
    let place = try CopyPlace()
    try place.shell(
      """
      mkdir -p s/d to/d to/out to/x; printf '/out\\n*.o\\n' >s/.gitignore; echo 1 >s/d/f
      for f in a.o out/f d/a.o d/gone x/a.o x/a.tmp x/gone; do echo 2 >to/$f; done
      echo '*.tmp' >to/x/.gitignore
      """
    )
    let report = place.copy("s", to: "to", try mirroring(.excluded), placing: .exactly)
    #expect(report.isComplete && report.removedCount == 3, "\(report.failures)")
    #expect(
      try paths(in: place) == [
        ".gitignore", "a.o", "d", "d/a.o", "d/f", "out", "out/f", "x", "x/a.o", "x/a.tmp",
      ]
    )
  }

  @Test("If only names that git ignores are copied, only they are removed (T57, T64)")
  func onlyIgnored() throws {
    let place = try CopyPlace()
    try place.shell(
      """
      mkdir -p s/out s/d to/.git to/out/linked to/out/old to/d to/x
      printf '/out\\n*.o\\n' >s/.gitignore; echo 1 >s/out/f; echo 1 >s/d/g
      for f in .git/f a.o a.c out/gone out/linked/f out/old/gone d/a.o d/h x/a.o
      do echo 2 >to/$f; done
      echo 'gitdir: /nowhere' >to/out/linked/.git
      """
    )
    let report = place.copy("s", to: "to", try mirroring(.only), placing: .exactly)
    #expect(report.isComplete && report.removedCount == 5, "\(report.failures)")
    // The directory `x` is not ignored, and it stays with its contents.
    #expect(
      try paths(in: place) == [
        ".git", ".git/f", "a.c", "d", "d/h", "out", "out/f", "out/linked", "out/linked/.git",
        "out/linked/f", "x", "x/a.o",
      ]
    )
  }

  @Test("A removed directory whose patterns cannot be read stays (T57, T63)")
  func unreadablePatterns() throws {
    let place = try CopyPlace()
    try place.shell("mkdir -p s to/x; echo 1 >s/f; echo 2 >to/x/g; echo 3 >to/gone")
    try place.shell("truncate -s 2M to/x/.gitignore")
    let report = place.copy("s", to: "to", try mirroring(.excluded), placing: .exactly)
    #expect(place.texts(report) == ["cannot open 'to/x/.gitignore' for reading: File too large"])
    #expect(try paths(in: place) == ["f", "x", "x/.gitignore", "x/g"])
  }

  @Test("A source of which nothing is copied counts as empty (T59)", arguments: [false, true])
  func nothingCopied(isAccepted: Bool) throws {
    let place = try CopyPlace()
    try place.shell("mkdir -p s/build to; echo 1 >s/a.o; echo 2 >s/build/f; echo 3 >to/x")
    var options = try mirroring(excluding: "*.o", "build/")
    options.deletion.acceptsEmptySources = isAccepted
    let report = place.copy("s", to: "to", options, placing: .exactly)
    let expected: [CopyError.Reason] = isAccepted ? [] : [.emptySource]
    #expect(report.failures.map(\.reason) == expected)
    let remaining: [String] = isAccepted ? [] : ["x"]
    #expect(try paths(in: place) == remaining)
    // Another name is copied, so that the source does not count as empty.
    try place.shell("echo 4 >s/f; echo 5 >to/y")
    #expect(place.copy("s", to: "to", options, placing: .exactly).isComplete)
    #expect(try paths(in: place) == ["f"])
  }
}
