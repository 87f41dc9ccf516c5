import IOChannelsSystem
import Testing

@Suite("Paths of bytes")
struct BytePathTests {
  @Test(
    "A path has a last component and a path before it",
    arguments: [
      ("/usr/bin", "bin", "/usr"), ("/usr/bin//", "bin", "/usr"), ("/usr", "usr", "/"),
      ("//usr", "usr", "/"), ("usr", "usr", ""), ("usr/", "usr", ""), ("a//b", "b", "a"),
      ("./a", "a", "."), ("a/..", "..", "a"), (".", ".", ""), ("/a/b/c", "c", "/a/b"),
    ] as [(String, String, String)]
  )
  func components(path: String, last: String, before: String) {
    #expect(BytePath(path).lastComponent == BytePath(last))
    #expect(BytePath(path).removingLastComponent() == BytePath(before))
  }

  @Test("A path without components has no last one", arguments: ["", "/", "//"])
  func noComponent(text: String) {
    let path = BytePath(text)
    #expect(path.lastComponent == nil)
    #expect(path.removingLastComponent() == path)
  }

  @Test("Components need not be UTF-8")
  func bytes() {
    let path = BytePath(bytes: [0x2F, 0xFF, 0x2F, 0xFE])
    #expect(path.lastComponent == BytePath(bytes: [0xFE]))
    #expect(path.removingLastComponent() == BytePath(bytes: [0x2F, 0xFF]))
  }

  @Test("The arguments are those of the command line")
  func arguments() {
    #expect(BytePath.commandLineArguments == CommandLine.arguments.map { BytePath($0) })
  }
}
