import IOChannelsTestSupport
import Testing

/// Each field of a listing is shown to notice its difference.
@Suite("Tree listing")
struct TreeListingTests {
  /// Two equal trees with a file, a link and a directory; `change` runs in the second.
  private func differences(after change: String) throws -> [String] {
    let place = try TemporaryDirectory()
    let make = """
      mkdir -p "$0/a/d" && cd "$0/a" && printf abcdefghi > f && ln f g && ln -s f l &&
      touch -d @1700000000.123456789 f && chmod 640 f && printf x > h && printf x > i &&
      touch -h -d @1700000000 h i l d . && cp -a . ../b
      """
    try runSuccessfully(["sh", "-c", make, place.path])
    try runSuccessfully(["sh", "-c", change], directory: place("b"))
    return try TreeListing(of: place("a")).differences(from: TreeListing(of: place("b")))
  }

  @Test("Equal trees have no difference")
  func equal() throws {
    #expect(try differences(after: "true") == [])
  }

  @Test("A further name outside of the trees is no difference")
  func outerName() throws {
    #expect(try differences(after: "ln h ../outer") == [])
  }

  @Test("A listing of some names has their links only")
  func filteredNames() throws {
    let place = try TemporaryDirectory()
    try runSuccessfully(["sh", "-c", "cd \"$0\"; : >a; ln a b; ln a c", place.path])
    let all = try TreeListing(of: place.path)
    #expect(all.filter { $0 != "./a" }.value(.link, of: "./c") == "./b")
    #expect(all.filter { $0 == "./c" }.value(.link, of: "./c") == "-")
  }

  @Test(
    "A difference is named",
    arguments: [
      ("rm h; mkfifo h; touch -d @1700000000 h", "./h: kind f here, p there"),
      ("chmod 600 f", "./f: mode 0640 here, 0600 there"),
      ("touch -d @1700000000.123456788 f", "./f: time 1700000000.123456789 here"),
      ("touch -h -d @1700000001 l", "./l: time 1700000000"),
      ("rm g && cp -p f g && touch -d @1700000000 .", "./g: link ./f here, - there"),
      ("printf y > h && touch -d @1700000000 h", "./h: content"),
      ("ln -sfn g l && touch -h -d @1700000000 l .", "./l: target f here, g there"),
      ("printf xy > h && touch -d @1700000000 h", "./h: size 1 here, 2 there"),
      ("rm -r d && touch -d @1700000000 .", "./d: missing there"),
      ("mkdir new && touch -d @1700000000 .", "./new: missing here"),
      ("setfattr -n user.color -v blue h", "./h: attributes - here, user.color=blue there"),
    ]
  )
  func difference(change: String, sentence: String) throws {
    let found = try differences(after: change)
    #expect(found.contains { $0.hasPrefix(sentence) }, "\(found)")
  }

  @Test("An owner is a field too", .needs(.root))
  func owner() throws {
    let found = try differences(after: "chown 12:34 h")
    #expect(found == ["./h: user 0 here, 12 there", "./h: group 0 here, 34 there"])
  }

  @Test("Names that are no text come through escaped")
  func names() throws {
    let place = try TemporaryDirectory()
    try runSuccessfully(["sh", "-c", #"cd "$0" && touch "$(printf 'a\377\n b')""#, place.path])
    #expect(try TreeListing(of: place.path).entries.keys.sorted() == [".", #"./a\xFF\x0A\x20b"#])
  }
}
