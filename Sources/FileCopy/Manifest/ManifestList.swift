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

  let entries: [Entry]
  /// The paths of all listed files.
  let paths: Set<BytePath>
  /// The file of the manifest.
  let identity: FileIdentity?

  /// Reads a manifest.
  init(readingFrom path: BytePath) throws(ManifestError) {
    var lines = Lines(of: path)
    do throws(LineBounds.Failure) {
      let file = try ManifestList.open(path)
      identity = try? file.borrowed.status().identity
      var pieces = LineBounds.Pieces(of: file.borrowed, within: .manifest)
      while lines.flaw == nil, let piece = try pieces.next() { lines.add(piece) }
    } catch {
      throw ManifestError(error, path)
    }
    (entries, paths) = try lines.finish()
  }

  /// Parses a manifest.
  init(parsing contents: [UInt8], _ path: BytePath) throws(ManifestError) {
    var lines = Lines(of: path)
    lines.add(contents[...])
    identity = nil
    (entries, paths) = try lines.finish()
  }

  private static func open(_ path: BytePath) throws(LineBounds.Failure) -> OwnedDescriptor {
    do throws(SystemError) {
      return try BorrowedDescriptor.workingDirectory.open(path, .noTerminal)
    } catch {
      throw .system(error)
    }
  }

  /// The lines of a manifest that were read so far.
  ///
  /// One flaw makes all of it useless, because other lines may be missing too.
  private struct Lines {
    private let path: BytePath
    /// The start of the next line.
    private var rest: [UInt8] = []
    private var number = 0
    private var entries: [Entry] = []
    private var paths: Set<BytePath> = []
    /// The first flaw.
    private(set) var flaw: ManifestError?

    init(of path: BytePath) {
      self.path = path
    }

    /// Adds the next bytes of the manifest.
    mutating func add(_ piece: ArraySlice<UInt8>) {
      var piece = piece
      while flaw == nil, let end = piece.firstIndex(of: UInt8(ascii: "\n")) {
        rest += piece[..<end]
        add(line: rest)
        rest.removeAll(keepingCapacity: true)
        piece = piece[(end + 1)...]
      }
      rest += piece
    }

    private mutating func add(line: [UInt8]) {
      number += 1
      guard let parsed = ManifestLine(parsing: line[...]) else {
        flaw = ManifestError(.invalidLine, path, line: number)
        return
      }
      guard let safe = parsed.safePath, let name = safe.lastComponent else {
        flaw = ManifestError(.unsafeName, path, line: number)
        return
      }
      paths.insert(safe)
      let directory = safe.removingLastComponent()
      entries.append(Entry(directory: directory, name: name, digest: parsed.digest))
    }

    /// Sorts the listed files by their directories, and returns them and their paths.
    mutating func finish() throws(ManifestError) -> ([Entry], Set<BytePath>) {
      if let flaw { throw flaw }
      if !rest.isEmpty { throw ManifestError(.truncated, path) }
      if entries.isEmpty { throw ManifestError(.empty, path) }
      entries.sort { one, other in
        one.directory == other.directory
          ? one.name.bytes.lexicographicallyPrecedes(other.name.bytes)
          : one.directory.bytes.lexicographicallyPrecedes(other.directory.bytes)
      }
      return (entries, paths)
    }
  }
}
