import IOChannelsTestSupport
import Testing

/// A way in which a copy can go wrong, as a rule of COPYING.md describes it.
///
/// A trap creates its files in an empty directory, copies them and states the result. If `cp` gets
/// it right, `cp` is the reference: `fastcp` must have the same messages, statuses, files and
/// compared values. Otherwise the trap states its expectations:
///
///     Trap(
///       "T7",
///       "nothing is written through a dangling link",
///       stage: { test in
///         try test.write("1\n", to: "f")
///         try test.makeLink("dangling", to: "nowhere")
///       },
///       expect: { test in
///         let copy = try test.copy("f", "dangling")
///         test.expect(copy, is: .failure("cp: not writing through dangling symlink 'dangling'"))
///         test.expect(test.names(in: "."), is: ["dangling", "f"])
///       }
///     )
struct Trap: CustomTestStringConvertible, Sendable {
  /// Statements that use the directory of one run.
  typealias Steps = @Sendable (TrapRun) throws -> Void

  /// A file system that a trap uses besides its own and `far`.
  enum Extra: Sendable {
    /// A file system that passes requests to the directory `behind`, except for faults that are
    /// set. It is mounted at `faulty`.
    case faulty
    /// The same without the page cache.
    case faultyDirect
    /// A file system of the same kind with 4 MiB of free space. `narrow` is a directory on it.
    case narrow
  }

  /// The rule in COPYING.md.
  let rule: String
  let title: String
  let extras: Set<Extra>
  /// The reason for which a simple copy loop keeps the rule, if it does.
  let naiveLoopPasses: String?
  /// Whether `cp` is the reference.
  let comparesWithCP: Bool
  /// The creation of the files.
  let stage: Steps
  /// The copies and the expectations.
  let check: Steps

  /// Creates a trap that `cp` avoids.
  init(
    _ rule: String,
    _ title: String,
    extras: Set<Extra> = [],
    naiveLoopPasses: String? = nil,
    stage: @escaping Steps,
    likeCP check: @escaping Steps
  ) {
    self.rule = rule
    self.title = title
    self.extras = extras
    self.naiveLoopPasses = naiveLoopPasses
    comparesWithCP = true
    self.stage = stage
    self.check = check
  }

  /// Creates a trap into which `cp` falls, or for which it lacks an option.
  init(
    _ rule: String,
    _ title: String,
    extras: Set<Extra> = [],
    naiveLoopPasses: String? = nil,
    stage: @escaping Steps,
    expect check: @escaping Steps
  ) {
    self.rule = rule
    self.title = title
    self.extras = extras
    self.naiveLoopPasses = naiveLoopPasses
    comparesWithCP = false
    self.stage = stage
    self.check = check
  }

  var testDescription: String { "\(rule): \(title)" }

  /// The traps of all rules, in their order.
  static let all: [Trap] = [
    operands, overwriting, attributes, access, data, errors, links, names, limits, races,
    pace, durability, resume, removals, filters, manifests, parts,
  ]
  .joined().sorted { $0.number < $1.number }

  private var number: Int { Int(rule.dropFirst()) ?? 0 }
}
