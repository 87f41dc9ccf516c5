import IOChannelsSystem
import IOChannelsTestSupport

/// The state of files, with `nil` for files that do not exist.
extension TrapRun {
  func status(of name: some BytePathConvertible, following: Bool = false) -> FileStatus? {
    try? here.status(of: name.bytePath, following: following)
  }

  /// Returns the permission bits in octal digits.
  func mode(of name: String) -> String? {
    status(of: name).map { String($0.permissions, radix: 8) }
  }

  func size(of name: String) -> Int64? { status(of: name)?.size }

  func inode(of name: String) -> UInt64? { status(of: name)?.identity.inode }

  /// Returns the first 64 KiB of a file as text.
  func text(of name: String) -> String? {
    do {
      // The flag is for a FIFO, which may have the name of a copy.
      let file = try here.open(BytePath(name), [.readOnly, .nonBlocking])
      var bytes = [UInt8](repeating: 0, count: 64 << 10)
      let count = try file.borrowed.read(into: &bytes)
      return String(decoding: bytes[..<count], as: UTF8.self)
    } catch {
      return nil
    }
  }

  func target(of link: String) -> String? {
    (try? here.target(ofLink: BytePath(link), length: 255)).map { "\($0)" }
  }

  /// Returns the sorted names in a directory, without the links that the run itself created.
  func names(in directory: String) -> [String]? {
    do {
      let opened = try here.open(BytePath(directory), .directory)
      var reader = DirectoryReader()
      var entries: [DirectoryEntry] = []
      while try reader.read(opened.borrowed, into: &entries) != nil {}
      let names = entries.map { "\($0.name)" }.sorted()
      return directory == "." ? names.filter { !ownLinks.contains($0) } : names
    } catch {
      return nil
    }
  }

  /// Returns the sorted paths of a directory and of all files below it, each beginning with `.`.
  func paths(in directory: String) -> [String]? {
    (try? TreeListing(of: "\(path)/\(directory)"))?.entries.keys.sorted()
  }

  /// Returns the extended attributes of the namespace `user`.
  func attributes(of name: String) -> [String: String]? {
    do {
      let file = try here.open(BytePath(name), [.path, .noFollow])
      var found: [String: String] = [:]
      for attribute in try file.borrowed.attributeNames() where "\(attribute)".hasPrefix("user.") {
        let value = try file.borrowed.attribute(attribute)
        found["\(attribute)"] = String(decoding: value, as: UTF8.self)
      }
      return found
    } catch {
      return nil
    }
  }

  /// Returns the access list of a file with the effective rights.
  func accessList(of name: String) throws -> String {
    try runSuccessfully(["getfacl", "-ce", name], directory: path)
  }

  /// Returns whether two files exist and have the same bytes.
  func haveSameBytes(_ one: String, _ other: String) -> Bool {
    // Its option `-s` would trust the sizes that generated files report.
    (try? run(["cmp", one, other], directory: path))?.succeeded ?? false
  }

  /// Returns whether less than 500 KiB are allocated for a file.
  func isSparse(_ name: String) -> Bool {
    do {
      let file = try here.open(BytePath(name), .readOnly)
      try file.borrowed.synchronize(dataOnly: false)
      return try file.borrowed.status().blocks < 1000
    } catch {
      return false
    }
  }

  /// Returns the free bytes of a directory's file system after it is flushed.
  func freeSpace(in directory: String) throws -> Int64 {
    try runSuccessfully(["sync", "-f", "\(directory)/."], directory: path)
    let opened = try here.open(BytePath(directory), .directory)
    return try opened.borrowed.freeSpace()
  }

  /// Returns the differences of two trees in everything but allocated space.
  func differences(_ one: String, _ other: String) -> [String] {
    do {
      return try TreeListing(of: "\(path)/\(one)")
        .differences(from: TreeListing(of: "\(path)/\(other)"))
    } catch {
      return ["\(error)"]
    }
  }
}

/// The judgement of results.
extension TrapRun {
  /// Adds a problem if a value is not the expected one.
  func expect<Value: Equatable>(
    _ value: Value,
    is expected: Value,
    file: String = #fileID,
    line: Int = #line
  ) {
    if value == expected { return }
    outcome.problems.append("\(file):\(line): \(value) is not \(expected)")
  }

  /// Compares a value with that of the run with `cp`.
  func compare<Value>(_ value: Value, line: Int = #line) {
    outcome.facts.append("line \(line): \(value)")
  }

  /// Compares the modification times of a file, or of a directory and all files below it.
  func compareTimes(of name: String) throws {
    let listing = try TreeListing(of: path)
    for entry in listing.entries.keys.sorted() {
      if entry != "./\(name)" && !entry.hasPrefix("./\(name)/") { continue }
      outcome.facts.append("\(entry) \(listing.value(.time, of: entry) ?? "")")
    }
  }

  /// Compares all files of the directory, except for their times and allocated space.
  func compareFiles() throws {
    let own = Set(ownLinks.map { "./\($0)" })
    let listing = try TreeListing(of: path)
    let fields = TreeListing.Field.allCases.filter { $0 != .time && $0 != .allocated }
    for entry in listing.entries.keys.sorted() where !own.contains(entry) {
      let values = fields.map { listing.value($0, of: entry) ?? "" }
      outcome.facts.append("\(entry) \(values.joined(separator: " "))")
    }
  }
}
