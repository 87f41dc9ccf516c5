import IOChannelsTestSupport
import Testing

/// A way in which copies go wrong: a scene, what is copied in it, and what must be found then.
///
/// Everything stands in one script for bash, whose tools are those of ``TrapScript``. It begins in
/// an empty directory of the player's, in which `far` is a directory on another file system.
struct Trap: CustomTestStringConvertible, Sendable {
  /// What must be found.
  enum Expectation: Sendable {
    /// What the installed cp says and leaves behind, which is right there.
    case asCP
    /// This, where the installed cp falls into the trap or knows no such thing.
    case stated(String)

    /// What is stated, if anything is.
    var text: String? { if case .stated(let text) = self { text } else { nil } }
  }

  /// Whether a loop that is written down first falls into the trap.
  enum NaiveLoop: Sendable {
    case fails
    /// It cannot, for this reason.
    case holds(because: String)

    var holds: Bool { if case .holds = self { true } else { false } }
  }

  /// What the scene needs besides the file systems.
  enum Prop: Sendable {
    /// `faulty`, a file system that passes on to `behind` what `rules` do not let go wrong.
    case faulty
    /// The same past the page cache.
    case faultyAndDirect
    /// `narrow`, a directory of the same kind of file system with 4 MiB of free space.
    case narrow
    /// A namespace in which the superuser may mount something in the scene.
    case mounts
  }

  /// The number in COPYING.md.
  var number: Int
  var title: String
  var props: [Prop]
  /// What the superuser does first.
  var prepare: String
  /// What the player does, and what is printed of the outcome.
  var script: String
  var expectation: Expectation
  var naiveLoop: NaiveLoop

  init(
    _ number: Int,
    _ title: String,
    props: [Prop] = [],
    prepare: String = ":",
    _ script: String,
    _ expectation: Expectation = .asCP,
    naiveLoop: NaiveLoop = .fails
  ) {
    self.number = number
    self.title = title
    self.props = props
    self.prepare = prepare
    self.script = script
    self.expectation = expectation
    self.naiveLoop = naiveLoop
  }

  var testDescription: String { "T\(number): \(title)" }

  /// What this machine must have for the trap.
  var needs: [Need] {
    props.contains(.faulty) || props.contains(.faultyAndDirect) ? [.fuse] : []
  }

  /// All of them in the order of their numbers.
  static let all = (operands + attributes + lists + data + links + limits + races)
    .sorted { $0.number < $1.number }
}
