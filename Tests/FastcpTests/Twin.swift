import IOChannelsTestSupport
import Testing

/// A copy that the installed `cp` and the command make, each in a place of its own.
struct Twin: CustomTestStringConvertible, Sendable {
  /// The script that fills the place.
  var prepare: String
  var arguments: [String]
  /// How the program is run: `"$0" "$@"` stands for it and its arguments.
  var call = "exec \"$0\" \"$@\""
  /// Whether standard output must have the same order.
  var isOrdered = false
  /// Whether a question is answered with no, which cp reports as a failure since 9.2 only.
  var declines = false
  /// Where the places stand.
  var base: String?

  init(_ arguments: String..., after prepare: String = ":") {
    self.prepare = prepare
    self.arguments = arguments
  }

  var testDescription: String { "[\(prepare)] \(arguments) \(call)" }

  /// The same copy, run in another way.
  func calling(_ call: String) -> Twin {
    var twin = self
    twin.call = call
    return twin
  }

  /// The same copy with answers to questions on standard input.
  func answering(_ lines: String...) -> Twin {
    calling("printf '%s\\n' \(lines.joined(separator: " ")) | \"$0\" \"$@\"")
  }

  /// The same copy, of which a question is answered with no.
  func declining() -> Twin {
    var twin = self
    twin.declines = true
    return twin
  }

  static let common =
    "echo x>f; echo yy>g; mkdir d; echo z>d/h; mkdir d/sub; "
    + "ln -s f l; ln -s d ld; ln -s nowhere dang"

  /// The same copy, made by a user who may do nothing special.
  func asNobody(groups: String? = nil) -> Twin {
    calling(
      """
      t=$(mktemp -d); chmod 755 $t; cp "$(command -v "$0")" $t
      PATH="$t:$PATH" setpriv --reuid=65534 --regid=65534 \
        \(groups.map { "--groups=\($0)" } ?? "--clear-groups") ${0##*/} "$@"
      s=$?; rm -r $t; exit $s
      """
    )
  }

  /// Expects the same messages, status, files, modes, owners, access lists and attributes.
  func compare(in base: String? = nil) throws {
    var twin = self
    twin.base = base ?? self.base
    try twin.compareHere()
  }

  private func compareHere() throws {
    var theirs = try outcome(of: "cp")
    let ours = try outcome(of: BuiltProgram.fastcp.path)
    if declines, theirs.told.hasPrefix("0 0\n") { theirs.told = "1" + theirs.told.dropFirst() }
    #expect(Twin.difference(theirs.told, ours.told) == [])
    #expect(Twin.difference(theirs.tree, ours.tree) == [])
  }

  /// Whether the installed cp names the file that cannot replace a directory, as it does since 9.5.
  private static let namesNonDirectories: Bool = {
    guard let text = try? runSuccessfully(["cp", "--version"]),
      let version = text.split(separator: "\n").first?.split(separator: " ").last
    else { return false }
    let numbers = version.split(separator: ".").compactMap { Int($0) }
    return !numbers.lexicographicallyPrecedes([9, 5])
  }()

  /// Returns a message without the name of a file that cannot replace a directory, unless the
  /// installed cp names it too.
  static func withoutNonDirectory(_ line: Substring) -> Substring {
    let end = " with non-directory"
    guard !namesNonDirectories, line.contains("overwrite directory"),
      let found = line.firstRange(of: end)
    else { return line }
    return line[..<found.upperBound]
  }

  /// The lines that only one of two texts has.
  private static func difference(_ theirs: String, _ ours: String) -> [String] {
    let (theirs, ours) = (theirs.split(separator: "\n"), ours.split(separator: "\n"))
    return ours.difference(from: theirs).map { change in
      switch change {
      case .insert(_, let line, _): "here: \(line)"
      case .remove(_, let line, _): "cp: \(line)"
      }
    }
  }

  private func outcome(of program: String) throws -> (told: String, tree: String) {
    let place = try TemporaryDirectory(in: base)
    try runSuccessfully(
      ["bash", "-ec", "umask 022; \(Twin.common); \(prepare)"],
      directory: place.path
    )
    let outcome = try run(
      ["bash", "-c", call, program] + arguments,
      environment: ["LC_ALL": "C.UTF-8"],
      directory: place.path,
      timeout: .seconds(20)
    )
    let name = String(program.split(separator: "/").last ?? "")
    let errors = outcome.errorText.split(separator: "\(name): ", omittingEmptySubsequences: false)
      .joined(separator: "cp: ")
      .split(separator: "'\(name) ").joined(separator: "'cp ")
      .split(separator: "\n").map(Twin.withoutNonDirectory).sorted()
    var output = outcome.outputText.split(separator: "\n")
    if !isOrdered { output.sort() }
    let listing = """
      find . -printf '%p %y %m %U %G %n %l\\n' | sort
      find . -type f | sort | while read -r f; do echo "$f: $(cat "$f")"; done
      lines() { awk '/^# file/ { file = $0; next } NF { print file, $0 }' | sort; }
      getfacl -R . 2>/dev/null | lines
      getfattr -RPhd -m '^(user|trusted|security)[.]' . 2>/dev/null | lines
      """
    return (
      "\(outcome.status) \(outcome.signal)\n\(errors)\n\(output)",
      try runSuccessfully(["bash", "-c", listing], directory: place.path)
    )
  }
}
