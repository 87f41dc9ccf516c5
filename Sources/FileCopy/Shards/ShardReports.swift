import IOChannelsSystem

/// The reports of the parts of a copy, which are files in the destination.
struct ShardReports {
  /// A part that has reported.
  struct Part: Hashable, Sendable {
    var index: Int
    var count: Int

    private static let prefix = ".fastcp-part-"
    private static let separator = "-of-"

    /// The name of the report.
    var name: BytePath { BytePath("\(Part.prefix)\(index)\(Part.separator)\(count)") }

    init(index: Int, count: Int) {
      self.index = index
      self.count = count
    }

    /// Parses the name of a report; nil for any other name.
    init?(parsing name: BytePath) {
      let text = name.description
      guard text.hasPrefix(Part.prefix),
        let cut = text.firstRange(of: Part.separator),
        let index = Int(text[..<cut.lowerBound].dropFirst(Part.prefix.count)),
        let count = Int(text[cut.upperBound...]), index >= 0, index < count
      else { return nil }
      self.init(index: index, count: count)
      // Signs and zeros at the start of a number make another name.
      if self.name != name { return nil }
    }
  }

  /// The maximum number of missing parts that are named.
  static let namedLimit = 1000

  private let directory: BorrowedDescriptor
  /// The path of the directory for messages.
  private let path: BytePath

  init(in directory: BorrowedDescriptor, _ path: BytePath) {
    self.directory = directory
    self.path = path
  }

  /// Refuses a file of a source whose copy would pass for the report of a part.
  ///
  /// - Parameters:
  ///   - path: The path below the directory that the sources are copied into.
  ///   - destination: The path of the copy for messages.
  /// - Throws: ``CopyProblem/partReport``.
  static func refuseReport(
    at path: BytePath,
    _ destination: @autoclosure () -> BytePath
  ) throws(CopyError) {
    if Part(parsing: path) != nil { throw CopyError(.partReport, destination(), .fileExists) }
  }

  /// Removes the report of an earlier run of a part.
  func remove(_ part: Part) throws(CopyError) {
    do throws(SystemError) {
      try directory.remove(part.name)
    } catch .noSuchFileOrDirectory {
      // The part runs for the first time.
    } catch {
      throw CopyError(.partReport, path.appending(part.name), error)
    }
  }

  /// Removes all reports. The directory is complete and keeps its times.
  func removeAll() throws(CopyError) {
    let before = try? directory.status()
    for part in try all() { try remove(part) }
    if let before {
      try? directory.setTimesOfHandle(accessed: before.accessed, modified: before.modified)
    }
  }

  /// Adds the report of a complete part.
  ///
  /// It is a new file that replaces any other one. So nothing that another process creates or moves
  /// to its name is opened.
  func add(_ part: Part, files count: Int) throws(CopyError) {
    let bytes = Array("part \(part.index) of \(part.count): \(count) files\n".utf8)
    do throws(SystemError) {
      do throws(SystemError) {
        let file = try NewFile(in: directory)
        try file.append(bytes)
        // Other machines see the bytes, which are flushed before the name.
        try file.publish(as: part.name, in: directory)
      } catch {
        if !error.isRefusal { throw error }
        try create(part, bytes)
      }
    } catch {
      throw CopyError(.partReport, path.appending(part.name), error)
    }
  }

  /// Creates a report under its name, on a file system that does not rename.
  private func create(_ part: Part, _ bytes: [UInt8]) throws(SystemError) {
    try? directory.remove(part.name)
    let file = try directory.open(
      part.name,
      [.create, .exclusive, .noFollow, .writeOnly],
      permissions: 0o666
    )
    if try file.borrowed.write(bytes, 0..<bytes.count) < bytes.count { throw .noSpace }
    try file.close()
  }

  /// Returns the reports in the directory, which are regular files.
  func all() throws(CopyError) -> Set<Part> {
    var found: Set<Part> = []
    do throws(SystemError) {
      let listing = try directory.open(".", [.readOnly, .directory])
      var reader = DirectoryReader()
      var isAtEnd = false
      while !isAtEnd {
        var entries: [DirectoryEntry] = []
        isAtEnd = try reader.read(listing.borrowed, into: &entries) == nil
        for entry in entries {
          if let part = Part(parsing: entry.name), isFile(entry) { found.insert(part) }
        }
      }
    } catch {
      throw CopyError(.readDirectory, path, error)
    }
    return found
  }

  private func isFile(_ entry: DirectoryEntry) -> Bool {
    if entry.kind != .unknown { return entry.kind == .regular }
    return (try? directory.status(of: entry.name))?.kind == .regular
  }

  /// Returns the failures of a copy whose parts have left the given reports; none if they are all.
  ///
  /// At most ``namedLimit`` missing parts have a failure.
  func failures(of found: Set<Part>) -> [CopyError] {
    guard let count = found.map(\.count).min() else { return [CopyError(.noParts, path)] }
    if let other = found.map(\.count).first(where: { $0 != count }) {
      return [CopyError(.mixedParts(count, other), path)]
    }
    var failures: [CopyError] = []
    for index in 0..<count where !found.contains(Part(index: index, count: count)) {
      failures.append(CopyError(.missingPart(index, of: count), path))
      if failures.count == ShardReports.namedLimit { break }
    }
    return failures
  }
}
