internal import CIOChannelsSystem

/// The memory that this process may use.
package enum MemoryLimit {
  /// The memory of the machine in bytes, or the limit of the control group if that is lower.
  ///
  /// Reads several files at each call, so callers keep the result.
  package static var usable: Int {
    limits().reduce(max(1, Int(csys_physical_memory())), min)
  }

  /// Returns the readable limits of this process's group and of its ancestors.
  private static func limits() -> [Int] {
    guard let group = ControlGroup.ofThisProcess(ruling: "memory") else { return [] }
    return group.ancestors.compactMap { path in
      let file =
        group.isUnified
        ? "/sys/fs/cgroup\(path)/memory.max"
        : "/sys/fs/cgroup/memory\(path)/memory.limit_in_bytes"
      return ControlGroup.contents(of: file).flatMap(bytes(in:))
    }
  }

  /// Parses a number of bytes; `max` and invalid text are no limit.
  static func bytes(in text: String) -> Int? {
    Int(text.prefix { $0 != "\n" }).flatMap { $0 > 0 ? $0 : nil }
  }
}
