import IOChannelsTestSupport

/// The parts of a run that can be seen, as sorted lines without what differs in each run.
struct Observation {
  /// A part of what can be seen.
  enum Part: String, CaseIterable {
    case status
    case errors
    case output
    case tree
  }

  /// Whether the run ended by itself.
  let hasEnded: Bool
  private var lines: [Part: [String]] = [:]

  /// Creates an observation of a run in a directory; without an outcome the run did not end.
  init(_ outcome: Outcome?, of tree: TreeListing, in directory: String) {
    func normalized(_ text: String) -> [String] {
      // Questions end without a line break.
      let lines = Observation.replacing("? ", by: "?\n", in: text)
      return Observation.replacing(directory, by: "PLACE", in: lines).split(separator: "\n")
        .map { String($0) }.sorted()
    }
    let status = outcome.map { "status \($0.status), signal \($0.signal)" }
    hasEnded = outcome != nil
    lines[.status] = [status ?? "it did not end"]
    lines[.errors] = normalized(outcome?.errorText ?? "")
    lines[.output] = normalized(outcome?.outputText ?? "")
    lines[.tree] = tree.entries.values.map { Observation.line(of: $0, in: directory) }.sorted()
  }

  /// The lines of a part.
  subscript(part: Part) -> [String] { lines[part] ?? [] }

  /// Whether a line of the messages contains a text.
  func reports(_ text: String) -> Bool { self[.errors].contains { $0.contains(text) } }

  /// The number of empty regular files.
  var emptyFileCount: Int {
    self[.tree].filter { line in
      Observation.field(.kind, of: line) == "f" && Observation.field(.size, of: line) == "0"
    }
    .count
  }

  /// Whether the trees differ in nothing but properties of directories.
  func differsOnlyInDirectories(from other: Observation) -> Bool {
    Set(self[.tree]).symmetricDifference(other[.tree]).allSatisfy { line in
      Observation.field(.kind, of: line) == "d"
    }
  }

  /// Whether the trees have the same names, and differ in nothing but regular files.
  func differsOnlyInFiles(from other: Observation) -> Bool {
    let names = [self, other].map { $0[.tree].map { $0.prefix { $0 != " " } } }
    return names[0] == names[1]
      && Set(self[.tree]).symmetricDifference(other[.tree]).allSatisfy { line in
        Observation.field(.kind, of: line) == "f"
      }
  }

  /// Whether the trees differ in nothing but set-user-ID, set-group-ID and sticky bits.
  func differsOnlyInSpecialBits(from other: Observation) -> Bool {
    self[.tree].map(Observation.withoutSpecialBits).sorted()
      == other[.tree].map(Observation.withoutSpecialBits).sorted()
  }

  private static func withoutSpecialBits(_ line: String) -> String {
    var fields = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    let place = TreeListing.Field.mode.rawValue
    if place < fields.count, let mode = Int(fields[place], radix: 8) {
      fields[place] = String(mode & ~0o7000, radix: 8)
    }
    return fields.joined(separator: " ")
  }

  private static func field(_ field: TreeListing.Field, of line: String) -> Substring? {
    let fields = line.split(separator: " ", omittingEmptySubsequences: false)
    return field.rawValue < fields.count ? fields[field.rawValue] : nil
  }

  /// The files of a case are older than this time, in seconds.
  private static let newTime = 1_500_000_000

  /// Returns the line of a file. It has no allocated space, and no time if the run set it.
  private static func line(of fields: [String], in directory: String) -> String {
    var fields = fields
    let seconds = fields[TreeListing.Field.time.rawValue].prefix { $0 != "." }
    if Int(seconds) ?? 0 > newTime { fields[TreeListing.Field.time.rawValue] = "new" }
    fields[TreeListing.Field.allocated.rawValue] = "-"
    return replacing(directory, by: "PLACE", in: fields.joined(separator: " "))
  }

  private static func replacing(_ old: String, by new: String, in text: String) -> String {
    text.split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
  }
}
