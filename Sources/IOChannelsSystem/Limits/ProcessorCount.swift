internal import CIOChannelsSystem

/// The number of processors that this process may use.
package enum ProcessorCount {
  /// The processors of the affinity mask, or the quota of the control group if lower; at least 1.
  ///
  /// Reads several files at each call, so callers keep the result.
  package static var usable: Int {
    let allowed = max(1, Int(csys_usable_processors()))
    return quotas().map(\.processors).reduce(allowed, min)
  }

  /// Returns the readable quotas of this process's group and of its ancestors.
  private static func quotas() -> [ProcessorQuota] {
    guard let group = ControlGroup.ofThisProcess(ruling: "cpu") else { return [] }
    return group.ancestors.compactMap { path in
      if group.isUnified {
        let file = "/sys/fs/cgroup\(path)/cpu.max"
        return ControlGroup.contents(of: file).flatMap { ProcessorQuota(maximum: $0) }
      }
      let directory = "/sys/fs/cgroup/cpu\(path)"
      guard let quota = ControlGroup.contents(of: "\(directory)/cpu.cfs_quota_us"),
        let period = ControlGroup.contents(of: "\(directory)/cpu.cfs_period_us")
      else { return nil }
      return ProcessorQuota(quota: quota, period: period)
    }
  }
}
