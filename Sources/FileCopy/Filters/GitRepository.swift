import IOChannelsSystem

/// The rule by which git takes a directory `.git` for a repository.
enum GitRepository {
  private static let head: BytePath = "HEAD"
  private static let references = Array("refs/".utf8)
  /// The number of bytes of `HEAD` that count.
  private static let headLength = 255
  /// The number of digits of the shortest name of a commit.
  private static let digits = 40

  /// Whether the directory with a name is a repository: it has a valid `HEAD`, and directories for
  /// objects and references.
  ///
  /// One that cannot be read counts as a repository, which is the careful answer.
  static func isValid(_ name: BytePath, in directory: BorrowedDescriptor) -> Bool {
    do throws(SystemError) {
      let opened = try directory.open(name, [.path, .directory, .noFollow])
      if try !hasHead(opened.borrowed) { return false }
      // A linked work tree has the rest in another directory, which this file names.
      if (try? opened.borrowed.status(of: "commondir")) != nil { return true }
      for name: BytePath in ["objects", "refs"] {
        let found = try opened.borrowed.status(of: name, following: true)
        if found.kind != .directory { return false }
      }
      return true
    } catch {
      return error != .noSuchFileOrDirectory && error != .notDirectory
    }
  }

  private static func hasHead(_ repository: BorrowedDescriptor) throws(SystemError) -> Bool {
    let kind = try repository.status(of: head).kind
    if kind == .symbolicLink {
      return try repository.target(ofLink: head, length: 64).bytes.starts(with: references)
    }
    if kind != .regular { return false }
    let file = try repository.openRegular(head, [.noTerminal], following: false)
    var bytes = [UInt8](repeating: 0, count: headLength)
    let count = try file.borrowed.read(into: &bytes)
    return isHead(bytes[..<count])
  }

  /// Whether the contents of `HEAD` name a reference or a commit.
  static func isHead(_ contents: ArraySlice<UInt8>) -> Bool {
    let mark = Array("ref:".utf8)
    if contents.starts(with: mark) {
      let spaces = Array(" \t\n\r".utf8)
      let name = contents.dropFirst(mark.count).drop { spaces.contains($0) }
      if name.starts(with: references) { return true }
    }
    let hexadecimal = Array("0123456789abcdefABCDEF".utf8)
    let number = contents.prefix(digits)
    return number.count == digits && number.allSatisfy { hexadecimal.contains($0) }
  }
}
