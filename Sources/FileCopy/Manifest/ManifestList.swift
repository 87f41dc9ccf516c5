import IOChannelsSystem

/// The lines of a manifest, sorted by the directories of their files.
struct ManifestList: Sendable {
  /// A listed file.
  struct Entry: Sendable {
    /// The path of the directory, empty for the one of the manifest.
    var directory: BytePath
    var name: BytePath
    var digest: [UInt8]

    var path: BytePath { directory.appending(name) }
  }

  /// The maximum length of a manifest in bytes, which is read into memory.
  static let lengthLimit = 1 << 32

  let entries: [Entry]
  /// The paths of all listed files.
  let paths: Set<BytePath>
  /// The file of the manifest.
  let identity: FileIdentity?

  /// Reads a manifest.
  init(readingFrom path: BytePath) throws(ManifestError) {
    let contents: [UInt8]
    let identity: FileIdentity
    do throws(SystemError) {
      let file = try BorrowedDescriptor.workingDirectory.open(path, .noTerminal)
      identity = try file.borrowed.status().identity
      contents = try file.borrowed.readToEnd(limit: ManifestList.lengthLimit)
    } catch {
      throw ManifestError(.system(error), path)
    }
    try self.init(parsing: contents, path, identity)
  }

  /// Parses a manifest. One flaw makes all of it useless, because other lines may be missing too.
  init(
    parsing contents: [UInt8],
    _ path: BytePath,
    _ identity: FileIdentity? = nil
  ) throws(ManifestError) {
    let newline = UInt8(ascii: "\n")
    if contents.isEmpty { throw ManifestError(.empty, path) }
    if contents.last != newline { throw ManifestError(.truncated, path) }
    var entries: [Entry] = []
    var paths: Set<BytePath> = []
    var number = 0
    for line in contents.dropLast().split(separator: newline, omittingEmptySubsequences: false) {
      number += 1
      guard let parsed = ManifestLine(parsing: line),
        ChecksumAlgorithm(byteCount: parsed.digest.count) != nil
      else { throw ManifestError(.invalidLine, path, line: number) }
      guard let safe = parsed.safePath, let name = safe.lastComponent else {
        throw ManifestError(.unsafeName, path, line: number)
      }
      paths.insert(safe)
      let directory = safe.removingLastComponent()
      entries.append(Entry(directory: directory, name: name, digest: parsed.digest))
    }
    entries.sort { one, other in
      one.directory == other.directory
        ? one.name.bytes.lexicographicallyPrecedes(other.name.bytes)
        : one.directory.bytes.lexicographicallyPrecedes(other.directory.bytes)
    }
    self.entries = entries
    self.paths = paths
    self.identity = identity
  }
}
