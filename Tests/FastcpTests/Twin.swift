import TestSupport
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

  static let common =
    "echo x>f; echo yy>g; mkdir d; echo z>d/h; mkdir d/sub; "
    + "ln -s f l; ln -s d ld; ln -s nowhere dang"

  /// Expects the same messages, status, files, modes, owners and access lists.
  func compare() throws {
    let (theirs, ours) = (try outcome(of: "cp"), try outcome(of: BuiltProgram.fastcp.path))
    #expect(theirs.told == ours.told)
    #expect(theirs.tree == ours.tree)
  }

  private func outcome(of program: String) throws -> (told: String, tree: String) {
    let place = try TemporaryDirectory()
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
      .split(separator: "\n").sorted()
    var output = outcome.outputText.split(separator: "\n")
    if !isOrdered { output.sort() }
    let listing = """
      find . -printf '%p %y %m %U %G %n %l\\n' | sort
      find . -type f | sort | while read -r f; do echo "$f: $(cat "$f")"; done
      getfacl -R . 2>/dev/null
      """
    return (
      "\(outcome.status) \(outcome.signal)\n\(errors)\n\(output)",
      try runSuccessfully(["bash", "-c", listing], directory: place.path)
    )
  }
}
