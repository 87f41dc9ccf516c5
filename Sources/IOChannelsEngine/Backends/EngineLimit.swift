import IOChannelsSystem

/// A limit of the engine of the process, which an environment variable sets.
package enum EngineLimit: String, Sendable, CaseIterable {
  /// The bytes in pending operations and running handlers.
  case memory = "IOCHANNELS_MEMORY"
  /// The threads of each class that make calls which do not wait for a peer.
  case threads = "IOCHANNELS_THREADS"
  /// The threads that make calls which may wait for a peer.
  case waitingThreads = "IOCHANNELS_WAITING_THREADS"

  /// The environment variable.
  package var variable: String { rawValue }

  /// The numbers that the variable may have.
  package var range: ClosedRange<Int> {
    switch self {
    case .memory: 8 << 20...1 << 40
    case .threads, .waitingThreads: 4...4096
    }
  }

  /// Returns the limit that the environment sets, or else the default.
  ///
  /// An invalid value stops the program (S215).
  func value(default limit: @autoclosure () -> Int) -> Int {
    guard let setting = Environment.value(of: variable), !setting.isEmpty else { return limit() }
    let number = number(in: setting)
    requireUse(number != nil, refusal(of: setting), "S215")
    return number ?? limit()
  }

  /// The value of the variable if it is invalid; otherwise nil.
  package var invalidValue: String? {
    guard let setting = Environment.value(of: variable), !setting.isEmpty else { return nil }
    return number(in: setting) == nil ? setting : nil
  }

  /// Returns the number that a value of the variable stands for; nil for an invalid value.
  func number(in setting: String) -> Int? {
    guard let number = Int(setting), range.contains(number) else { return nil }
    return number
  }

  /// Returns a sentence that refuses an invalid value, which it shows if it is short and plain.
  private func refusal(of setting: String) -> String {
    "\(variable) must be a number from \(range.lowerBound) to \(range.upperBound)"
      + BackendPreference.quotation(of: setting)
  }
}
