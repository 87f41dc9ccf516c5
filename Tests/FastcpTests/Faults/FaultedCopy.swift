import IOChannelsTestSupport

/// Copies with one side on a file system in which things go wrong, and what is said about them.
struct FaultedCopy {
  /// The side on which things go wrong.
  enum Side: String, CaseIterable, Sendable {
    case source
    case destination
  }

  /// A way to go wrong.
  struct Fault: CustomStringConvertible {
    var operation: String
    var action: String
    var which: Int
    var isLasting: Bool

    /// Whether somebody may not read or set attributes, which -a passes over as cp does.
    var deniesAttributes: Bool {
      ["listxattr", "getxattr", "setxattr"].contains(operation) && action == "errno 13"
    }

    /// Whether a further name is refused, in place of which -a copies the file (T33).
    var deniesLinks: Bool { operation == "link" && action == "errno 13" }

    var rule: String { "\(operation) * \(which)\(isLasting ? "+" : "") \(action)" }
    var description: String { rule }
  }

  let side: Side
  /// Further options of the copies.
  private let options: [String]
  private let faulty: FaultFileSystem
  private let place: TemporaryDirectory
  private let wanted: TreeListing
  /// Where the trees really are.
  private let sourceBehind: String
  private let copyBehind: String
  private let source: String
  private let copy: String

  private static let tree = """
    mkdir -p source/d/e source/closed
    for i in 1 2 3; do head -c 3000 /dev/urandom >source/d/f$i; done
    head -c 300000 /dev/urandom >source/d/large; head -c 100000 /dev/urandom >source/d/e/middle
    : >source/empty; ln -s d/f1 source/link; mkfifo source/fifo; ln source/d/f2 source/d/e/hard
    echo x >source/closed/x; chmod 555 source/closed; truncate -s 3M source/holes
    echo y | dd of=source/holes bs=1 seek=1500000 conv=notrunc status=none
    chmod 640 source/d/f3; chown 12:34 source/d/f1; touch -d 2001-01-01 source/d/f2 source/d
    setfattr -n user.a -v 1 source/d/f3; setfattr -n user.b -v 2 source/d
    """

  init(_ side: Side, isDirect: Bool = false, options: [String] = []) throws {
    self.side = side
    self.options = options
    faulty = try FaultFileSystem(isDirect: isDirect)
    place = try TemporaryDirectory()
    let (sourceBase, copyBase) =
      side == .source ? (faulty.behind, place.path) : (place.path, faulty.behind)
    try runSuccessfully(["bash", "-ec", FaultedCopy.tree], directory: sourceBase)
    sourceBehind = "\(sourceBase)/source"
    copyBehind = "\(copyBase)/copy"
    source = side == .source ? "\(faulty.path)/source" : sourceBehind
    copy = side == .source ? copyBehind : "\(faulty.path)/copy"
    wanted = try TreeListing(of: sourceBehind)
  }

  /// Copies while something goes wrong.
  ///
  /// - Returns: What is wrong with the copy or with what was said about it, nil when the fault did
  ///   not come up.
  func problems(of fault: Fault, _ environment: [String: String?] = [:]) throws -> [String]? {
    try faulty.setRules(fault.rule)
    let outcome = try run(
      [BuiltProgram.fastcp.path, "-aT"] + options + [source, copy],
      environment: environment,
      timeout: .seconds(30)
    )
    let isUsed = !faulty.uses().isEmpty
    try faulty.setRules()
    let entries = try? TreeListing(of: copyBehind)
    if entries != nil { try runSuccessfully(["rm", "-rf", copyBehind]) }
    let problems = judge(outcome, entries, fault).map { "\(side), \(fault): \($0)" }
    return isUsed || !problems.isEmpty ? problems : nil
  }

  /// Whether the source is what it was.
  func sourceChanges() throws -> [String] {
    try TreeListing(of: sourceBehind).differences(from: wanted, ignoring: [])
  }

  private func judge(_ outcome: Outcome, _ copy: TreeListing?, _ fault: Fault) -> [String] {
    var problems: [String] = []
    if outcome.signal != 0 || outcome.status > 1 { problems.append("\(outcome)") }
    if outcome.status == 1 && outcome.errors.isEmpty { problems.append("nothing was said") }
    let paths = Set(wanted.entries.keys).union(copy?.entries.keys ?? [:].keys)
    for path in paths.sorted() {
      let (old, new) = (wanted.entries[path], copy?.entries[path])
      if old == nil {
        // What cannot be looked up cannot be removed: the next run does it.
        let cannotBeRemoved = fault.operation == "lookup" && fault.isLasting
        if !cannotBeRemoved { problems.append("\(path) was left behind") }
        continue
      }
      // A name that failed is missing among the names of a file.
      let fields = TreeListing.Field.allCases.filter {
        $0 != .allocated && ($0 != .link || outcome.status == 0 && !fault.deniesLinks)
          && ($0 != .attributes || !fault.deniesAttributes)
      }
      let differs = fields.contains { wanted.value($0, of: path) != copy?.value($0, of: path) }
      guard differs else { continue }
      if outcome.status == 0 { problems.append("\(path) differs in silence") }
      // An error that comes after the file was made looks like one that kept it from being made.
      let isUntouched =
        copy?.value(.size, of: path) == "0" && copy?.value(.mode, of: path) == "0600"
      if new != nil, wanted.value(.content, of: path) != copy?.value(.content, of: path),
        !isUntouched
      {
        problems.append("\(path) has other bytes")
      }
      let isTold = names(of: path).contains { isNamed($0, in: outcome) }
      if !isTold { problems.append("\(path) was not named: \(outcome)") }
    }
    return problems
  }

  /// A path and the other names of its file.
  private func names(of path: String) -> [String] {
    guard let link = wanted.value(.link, of: path), link != "-" else { return [path] }
    return wanted.entries.keys.filter { wanted.value(.link, of: $0) == link }
  }

  /// Whether a line is about a path of the tree, or about a directory around it.
  private func isNamed(_ path: String, in outcome: Outcome) -> Bool {
    var part = path.dropFirst()
    while true {
      if outcome.errorLines.contains(where: {
        $0.contains("'\(source)\(part)'") || $0.contains("'\(copy)\(part)'")
      }) {
        return true
      }
      guard let slash = part.lastIndex(of: "/") else { return false }
      part = part[..<slash]
    }
  }
}
