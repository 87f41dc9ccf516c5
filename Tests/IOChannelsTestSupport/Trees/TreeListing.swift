/// What stands in a tree, found out by the program `treelist`, which shares nothing with the
/// code under test.
public struct TreeListing: Sendable {
  /// What is known of an entry.
  public enum Field: Int, CaseIterable, Sendable {
    /// Regular file, directory, link, FIFO, socket or device.
    case kind = 1
    /// The permission bits with set-id and sticky.
    case mode
    /// The owner.
    case user
    /// The group.
    case group
    /// The length in bytes; 0 for directories.
    case size
    /// When the data changed last, to the nanosecond.
    case time
    /// The first path of the same file, when it has several names in the tree.
    case link
    /// The allocated space in KiB, which no two file systems count alike.
    case allocated
    /// A sum over the bytes.
    case content
    /// A symbolic link's target or a device's number.
    case target
    /// Extended attributes with their values.
    case attributes
  }

  /// The fields of each entry by path; paths start with `.` and are escaped.
  public let entries: [String: [String]]

  /// Lists a tree.
  ///
  /// - Throws: ``TestFailure`` when the tree cannot be read.
  public init(of path: String) throws {
    var entries: [String: [String]] = [:]
    let text = try runSuccessfully(
      [BuiltProgram.treelist.path, "--xattrs", path],
      timeout: .seconds(300)
    )
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count == Field.allCases.count + 1 else {
        throw TestFailure("treelist printed a line that is not understood: \(line)")
      }
      entries[fields[0]] = fields
    }
    self.init(entries)
  }

  /// Creates a listing in which names outside of it do not count as further names of a file.
  private init(_ entries: [String: [String]]) {
    let link = Field.link.rawValue
    let names = Dictionary(grouping: entries.keys) { entries[$0]?[link] ?? "-" }
    let firstNames = names.compactMapValues { $0.count > 1 ? $0.min() : nil }
    self.entries = entries.mapValues { fields in
      var fields = fields
      if fields[link] != "-" { fields[link] = firstNames[fields[link]] ?? "-" }
      return fields
    }
  }

  /// Returns the entries whose paths a closure includes.
  public func filter(_ isIncluded: (String) -> Bool) -> TreeListing {
    TreeListing(entries.filter { isIncluded($0.key) })
  }

  /// One field of one entry, `nil` when there is no such entry.
  public func value(_ field: Field, of path: String) -> String? {
    entries[path]?[field.rawValue]
  }

  /// The lengths of all regular files; a file with several names counts once.
  public var fileSizes: [Int] {
    entries.values.compactMap { fields in
      let link = fields[Field.link.rawValue]
      let isCounted = fields[Field.kind.rawValue] == "f" && (link == "-" || link == fields[0])
      return isCounted ? Int(fields[Field.size.rawValue]) : nil
    }
  }

  /// Compares two trees.
  ///
  /// - Parameters:
  ///   - other: The tree to compare with.
  ///   - ignored: Fields that may differ; allocated space by default.
  /// - Returns: A sentence for each difference, sorted by path; empty when the trees are equal.
  public func differences(
    from other: TreeListing,
    ignoring ignored: Set<Field> = [.allocated]
  ) -> [String] {
    var found: [String] = []
    for path in Set(entries.keys).union(other.entries.keys).sorted() {
      guard let mine = entries[path] else {
        found.append("\(path): missing here")
        continue
      }
      guard let theirs = other.entries[path] else {
        found.append("\(path): missing there")
        continue
      }
      for field in Field.allCases where !ignored.contains(field) {
        let (left, right) = (mine[field.rawValue], theirs[field.rawValue])
        if left != right { found.append("\(path): \(field) \(left) here, \(right) there") }
      }
    }
    return found
  }
}
