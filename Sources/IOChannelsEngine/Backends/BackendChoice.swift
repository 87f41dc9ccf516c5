import IOChannelsSystem

/// The backend that the user selects.
package enum BackendPreference: String, Sendable, CaseIterable {
  /// The ring if it works, otherwise threads.
  case auto
  /// The same as `auto`, stated explicitly.
  case uring
  /// Threads.
  case threads

  /// The environment variable that sets the preference of the process.
  package static let variable = "IOCHANNELS_BACKEND"

  /// Creates the preference that a value of the variable names, nil for an unknown value.
  ///
  /// An empty value is the default, as if the variable were not set.
  package init?(setting: String?) {
    guard let setting, !setting.isEmpty else {
      self = .auto
      return
    }
    self.init(rawValue: setting)
  }

  /// Returns a sentence that refuses an unknown value, which it shows if it is short and plain.
  static func refusal(of setting: String) -> String {
    "\(variable) must be auto, uring or threads" + quotation(of: setting)
  }

  /// Returns the end of such a sentence.
  static func quotation(of setting: String) -> String {
    let isPlain = setting.utf8.count <= 64 && setting.utf8.allSatisfy { 0x20...0x7e ~= $0 }
    return isPlain ? ", not \"\(setting)\"." : "."
  }
}

/// The backend that carries out requests, and the reason for the choice.
package struct BackendChoice: Hashable, Sendable {
  package let usesRing: Bool
  /// The reason in one sentence, for the user.
  package let reason: String

  /// Chooses before the first system call, because a sandbox may kill a process that tries a ring.
  ///
  /// - Parameters:
  ///   - setting: The text of the environment variable, if it is set; an unknown one stops the
  ///     program (S215).
  ///   - probe: Tries the ring; called only if a ring may be used.
  init(setting: String?, probe: () throws(ProbeFailure) -> Void) {
    let preference = BackendPreference(setting: setting)
    requireUse(preference != nil, BackendPreference.refusal(of: setting ?? ""), "S215")
    if preference == .threads {
      self.init(usesRing: false, reason: "threads: \(BackendPreference.variable) asks for them")
      return
    }
    do throws(ProbeFailure) {
      try probe()
      self.init(usesRing: true, reason: "io_uring: the probe succeeded")
    } catch {
      self.init(usesRing: false, reason: "threads: \(error)")
    }
  }

  /// The choice in a test that supplies its own backend.
  static let simulated = BackendChoice(usesRing: false, reason: "simulated: a test asks for it")

  private init(usesRing: Bool, reason: String) {
    self.usesRing = usesRing
    self.reason = reason
  }
}

/// The reason why a ring cannot be used.
struct ProbeFailure: Error, Hashable, CustomStringConvertible {
  enum Step: String {
    case setup = "io_uring_setup"
    case enter = "io_uring_enter"
    case nothing = "a request that does nothing"
    case wakeup = "a write to an eventfd"
    case read = "a read of one byte"
  }

  let step: Step
  let error: SystemError

  var description: String {
    "\(step.rawValue) failed: \(error)" + (hint.map { " (\($0))" } ?? "")
  }

  private var hint: String? {
    switch (step, error) {
    case (_, .notPermitted), (.enter, _):
      "forbidden by a seccomp filter or by kernel.io_uring_disabled"
    case (.setup, .noFunction): "the kernel has no io_uring"
    case (.setup, .invalidArgument): "the kernel is older than 6.1"
    case (.setup, .noMemory): "the limit of locked memory is too low"
    case (.setup, .tooManyOpenFiles): "the process has no descriptor left"
    default: nil
    }
  }
}
