import IOChannelsSystem
import Testing

@testable import FileCopy

/// The lines of manifests, and manifests with flaws.
@Suite("Lines of manifests")
struct ManifestLineTests {
  private static let digest = [UInt8](0..<16)
  private static let digits = "000102030405060708090a0b0c0d0e0f"

  private func parsed(_ text: String) -> ManifestLine? {
    ManifestLine(parsing: ArraySlice(Array(text.utf8)))
  }

  private func error(of text: String) -> ManifestError? {
    do throws(ManifestError) {
      _ = try ManifestList(parsing: Array(text.utf8), "m")
      return nil
    } catch {
      return error
    }
  }

  @Test(
    "A name with any bytes is one line, which is parsed to the same name (T66)",
    arguments: [
      ("a", "  a"), (" a ", "   a "), ("a/b c", "  a/b c"), ("*", "  *"), ("-c", "  -c"),
    ]
  )
  func plain(name: String, end: String) {
    let line = ManifestLine(digest: Self.digest, name: BytePath(name))
    #expect(String(decoding: line.bytes, as: UTF8.self) == Self.digits + end + "\n")
    #expect(ManifestLine(parsing: line.bytes.dropLast()) == line)
  }

  @Test("Newlines, carriage returns and backslashes are escaped (T66)")
  func escapes() {
    let line = ManifestLine(digest: Self.digest, name: "a\nb\\c\rd")
    let text = String(decoding: line.bytes, as: UTF8.self)
    #expect(text == "\\" + Self.digits + "  a\\nb\\\\c\\rd\n")
    #expect(ManifestLine(parsing: line.bytes.dropLast()) == line)
    for byte in UInt8(1)...255 where byte != UInt8(ascii: "/") {
      let line = ManifestLine(digest: Self.digest, name: BytePath(bytes: [byte]))
      #expect(line.bytes.count { $0 == UInt8(ascii: "\n") } == 1)
      #expect(ManifestLine(parsing: line.bytes.dropLast()) == line)
    }
  }

  @Test("Lines of other programs are parsed, in upper case and with an asterisk (T67)")
  func foreign() {
    #expect(parsed("\(Self.digits) *a")?.name == "a")
    #expect(parsed("\(Self.digits.uppercased())  a")?.digest == Self.digest)
    #expect(parsed(String(repeating: "0", count: 64) + "  a")?.digest.count == 32)
    #expect(parsed(String(repeating: "0", count: 128) + "  a")?.digest.count == 64)
  }

  @Test(
    "A line without a checksum, two blanks and a name is not valid (T67)",
    arguments: [
      "", " ", "a", digits, "\(digits) ", "\(digits)  ", "\(digits) a", "\(digits)0  a",
      "0\(digits)0  a", "x\(digits.dropFirst())  a", "# \(digits)  a", "\(digits)  a\0b",
      "\\\(digits)  a\\", "\\\(digits)  a\\t", "\(digits)\t a", "SHA256 (a) = \(digits)",
    ]
  )
  func invalid(text: String) {
    #expect(parsed(text) == nil)
  }

  @Test(
    "A name that leads out of the directory is refused (T67)",
    arguments: ["/a", "..", "../a", "a/../b", "a/..", ".", "./", "/"]
  )
  func leadingOut(name: String) {
    #expect(ManifestLine(digest: Self.digest, name: BytePath(name)).safePath == nil)
    let reason = error(of: "\(Self.digits)  a\n\(Self.digits)  \(name)\n")
    #expect(reason == ManifestError(.unsafeName, "m", line: 2))
  }

  @Test("Dots that lead nowhere are left out of a path (T67)")
  func dots() {
    let line = ManifestLine(digest: Self.digest, name: "./a//b/./...")
    #expect(line.safePath == "a/b/...")
  }

  @Test("A manifest that was cut off is refused (T67)")
  func truncated() {
    let line = "\(Self.digits)  a\n"
    #expect(error(of: line + line) == nil)
    #expect(error(of: "") == ManifestError(.empty, "m"))
    for length in 1..<line.utf8.count {
      let text = line + line.prefix(length)
      #expect(error(of: String(text)) == ManifestError(.truncated, "m"), "\(length)")
    }
    #expect(error(of: line + "\n") == ManifestError(.invalidLine, "m", line: 2))
  }

  @Test("Errors name the manifest, the line and the reason (T67)")
  func texts() {
    #expect(
      ManifestError(.invalidLine, "m", line: 3).text()
        == "cannot use line 3 of 'm': no checksum and name"
    )
    #expect(
      ManifestError(.system(.noSuchFileOrDirectory), "m").text()
        == "cannot use 'm': No such file or directory"
    )
  }

  @Test("Entries are sorted by their directories, and name their files (T67)")
  func entries() throws {
    let text = ["b/x", "a", "b/a", "a/c/d"].map { "\(Self.digits)  \($0)\n" }.joined()
    let list = try ManifestList(parsing: Array(text.utf8), "m")
    #expect(list.entries.map(\.path) == ["a", "a/c/d", "b/a", "b/x"])
    #expect(list.entries.map(\.directory) == ["", "a/c", "b", "b"])
    #expect(list.paths == ["b/x", "a", "b/a", "a/c/d"])
  }
}
