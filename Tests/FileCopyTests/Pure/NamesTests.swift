import IOChannelsSystem
import Testing

@testable import FileCopy

/// Paths are taken apart as they were written, and shown so that nothing can be forged.
@Suite("Names")
struct NamesTests {
  @Test(
    "A path is the directory with its slashes and the last name with its own",
    arguments: [
      ("a", "", "a"), ("a/", "", "a/"), ("a/b", "a/", "b"), ("a//b//", "a//", "b//"),
      ("/", "", "/"), ("/a", "/", "a"), ("//a", "//", "a"), ("", "", ""), ("a/.", "a/", "."),
    ]
  )
  func splitting(path: String, directory: String, name: String) {
    let parts = OperandNames.split(BytePath(path))
    #expect(parts.directory == BytePath(directory))
    #expect(parts.name == BytePath(name))
  }

  @Test(
    "In a directory a source keeps its last name, and the one above becomes its content (T1)",
    arguments: [
      ("a", "a"), ("a/", "a"), ("x/a//", "a"), ("a/.", "."), ("a/..", "."), ("..", "."),
      ("/", "."), (".", "."), ("...", "..."),
    ]
  )
  func inDirectory(source: String, name: String) {
    #expect(OperandNames.nameInDirectory(of: BytePath(source)) == BytePath(name))
  }

  @Test(
    "Names are quoted as the GNU tools quote them (T37)",
    arguments: [
      ("a", "'a'"), ("", "''"), ("a b", "'a b'"), ("it's", "\"it's\""),
      ("it's $1", "'it'\\''s $1'"), ("a\nb", "'a'$'\\n''b'"), ("\u{1b}[31m", "''$'\\033''[31m'"),
      ("é", "'é'"), ("é's", "\"é's\""), ("\u{85}", "''$'\\302\\205'"),
      ("\u{2028}", "''$'\\342\\200\\250'"), ("a\\b", "'a\\b'"), ("'\n", "''\\'''$'\\n'"),
    ]
  )
  func quoting(name: String, quoted: String) {
    #expect(ShellQuoting.utf8.quote(BytePath(name)) == quoted)
  }

  @Test("Bytes that are no text are shown as numbers")
  func quotingBytes() {
    let name = BytePath(bytes: [0x61, 0xff, 0x62, 0xe2, 0x82])
    #expect(ShellQuoting.utf8.quote(name) == "'a'$'\\377''b'$'\\342\\202'")
    #expect(ShellQuoting.ascii.quote(BytePath("é")) == "''$'\\303\\251'")
  }

  @Test("No quoted name holds a byte that a terminal acts upon")
  func quotingIsHarmless() {
    for byte in UInt8(1)...255 {
      for quoting in [ShellQuoting.utf8, .ascii] {
        let quoted = quoting.quote(BytePath(bytes: [0x61, byte, 0x62]))
        #expect(quoted.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f }, "byte \(byte)")
      }
    }
  }

  @Test("A failure is one line in the words of cp")
  func failures() {
    let failure = CopyError(.createHardLink, "a", other: "b c", .tooManyLinks)
    #expect(failure.text() == "cannot create hard link 'a' to 'b c': Too many links")
    #expect(CopyError(.sameFile, "a%2", other: "b").text() == "'a%2' and 'b' are the same file")
    #expect(CopyError(.omittedDirectory, "d").text() == "-r not specified; omitting directory 'd'")
  }
}
