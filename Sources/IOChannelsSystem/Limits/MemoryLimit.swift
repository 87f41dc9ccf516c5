internal import CIOChannelsSystem

/// How much memory this process may use.
package enum MemoryLimit {
  /// The bytes of the machine's memory, cut to the limit of the control group.
  ///
  /// Reads the kernel's files each time: keep the answer.
  package static var usable: Int {
    limits().reduce(max(1, Int(csys_physical_memory())), min)
  }

  /// The limits of this process's group and of all groups around it, as far as they can be read.
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

  /// Reads a number of bytes; `max` and nonsense are no limit.
  static func bytes(in text: String) -> Int? {
    Int(text.prefix { $0 != "\n" }).flatMap { $0 > 0 ? $0 : nil }
  }
}
