/// The share of processor time that a control group leaves to its processes.
struct ProcessorQuota: Equatable {
  /// Microseconds of processor time in each period.
  var quota: Int
  /// The length of a period in microseconds.
  var period: Int

  /// Reads a version 2 `cpu.max`: a quota or `max`, and a period.
  ///
  /// - Returns: Nil when there is no limit or the text is something else.
  init?(maximum text: String) {
    let fields = text.split { $0 == " " || $0 == "\n" }
    guard fields.count == 2 else { return nil }
    self.init(quota: String(fields[0]), period: String(fields[1]))
  }

  /// Reads a version 1 pair of `cpu.cfs_quota_us` and `cpu.cfs_period_us`.
  ///
  /// - Returns: Nil when there is no limit, as a quota of -1 says, or the text is something else.
  init?(quota: String, period: String) {
    guard let quota = Int(quota.filter { $0 != "\n" }),
      let period = Int(period.filter { $0 != "\n" }),
      quota > 0, period > 0
    else { return nil }
    self.quota = quota
    self.period = period
  }

  /// The number of processors that the quota keeps busy, rounded up.
  var processors: Int { max(1, quota / period + (quota % period == 0 ? 0 : 1)) }
}

/// The place of this process in the tree of control groups, one line of `/proc/self/cgroup`.
struct ControlGroup: Equatable {
  /// Whether the line is of the single tree of version 2.
  var isUnified: Bool
  /// The path below the mount point, starting with a slash.
  var path: String

  /// Finds the group that rules processor time: version 1's `cpu` if mounted, else version 2's.
  static func ofProcessorTime(in text: String) -> ControlGroup? {
    var unified: ControlGroup?
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { continue }
      let path = String(fields[2])
      if fields[1].split(separator: ",").contains("cpu") {
        return ControlGroup(isUnified: false, path: path)
      }
      if fields[0] == "0" && fields[1].isEmpty {
        unified = ControlGroup(isUnified: true, path: path)
      }
    }
    return unified
  }

  /// The group's own path and those of all groups around it, the root last.
  var ancestors: [String] {
    var names = path.split(separator: "/")
    var found: [String] = []
    while !names.isEmpty {
      found.append("/" + names.joined(separator: "/"))
      names.removeLast()
    }
    return found + [""]
  }
}
