extension MemoryPressureSource {
  /// The part of the system that reports memory pressure.
  public enum Provider: Hashable, Sendable {
    /// The file, FIFO or socket that the service manager names in `$MEMORY_PRESSURE_WATCH`.
    case serviceManager(path: String)
    /// The file `memory.pressure` of the process's control group.
    case controlGroup(path: String)
    /// The file `/proc/pressure/memory` about the whole system.
    case system
    /// The directory of the process's control group of version 1.
    case legacyControlGroup(path: String)
  }
}

extension MemoryPressureSource.Provider: CustomStringConvertible {
  /// The path of the provider.
  public var description: String {
    switch self {
    case .serviceManager(let path), .controlGroup(let path), .legacyControlGroup(let path): path
    case .system: "/proc/pressure/memory"
    }
  }
}

/// The providers that a process may have, from its environment and its control groups.
struct PressureProviders: Equatable, Sendable {
  /// A provider and the trigger that the service manager asks for.
  struct Candidate: Equatable, Sendable {
    let provider: MemoryPressureSource.Provider
    /// The bytes to write, nil if the service manager names none.
    var message: [UInt8]?
  }

  /// The providers in the order in which they are tried (S202).
  private(set) var candidates: [Candidate] = []

  /// Finds the providers.
  ///
  /// - Parameters:
  ///   - watch: The value of `$MEMORY_PRESSURE_WATCH`. `/dev/null` switches all providers off.
  ///   - message: The value of `$MEMORY_PRESSURE_WRITE`.
  ///   - groups: The text of `/proc/self/cgroup`.
  init(watch: String?, message: String?, groups: String?) {
    if watch == "/dev/null" { return }
    if let watch, Self.isPlain(watch) {
      let bytes = Base64.decoding(message ?? "")
      // A message that cannot be read is not the service manager's.
      if let bytes { add(.serviceManager(path: watch), bytes.isEmpty ? nil : bytes) }
    }
    if let path = groups.flatMap({ ControlGroup(ruling: nil, in: $0) })?.directory {
      // The tree of version 2 alone, or beside those of version 1.
      for root in ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"] {
        add(.controlGroup(path: "\(root)\(path)/memory.pressure"))
      }
    }
    add(.system)
    if let group = groups.flatMap({ ControlGroup(ruling: "memory", in: $0) }), !group.isUnified,
      let path = group.directory
    {
      add(.legacyControlGroup(path: "/sys/fs/cgroup/memory\(path)"))
    }
  }

  private mutating func add(_ provider: MemoryPressureSource.Provider, _ message: [UInt8]? = nil) {
    candidates.append(Candidate(provider: provider, message: message))
  }

  /// Whether a path is absolute and stays below each of its directories.
  static func isPlain(_ path: String) -> Bool {
    path.hasPrefix("/") && !path.utf8.contains(0) && !path.split(separator: "/").contains("..")
  }
}

extension ControlGroup {
  /// The path without a slash at its end, nil for a group outside of the visible tree.
  fileprivate var directory: String? {
    guard PressureProviders.isPlain(path) else { return nil }
    return path == "/" ? "" : path
  }
}
