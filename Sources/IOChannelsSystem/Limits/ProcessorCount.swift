internal import CIOChannelsSystem

/// How many processors this process may keep busy.
package enum ProcessorCount {
  /// The processors of the affinity mask, cut to the control group's quota; at least 1.
  ///
  /// Reads the kernel's files each time: keep the answer.
  package static var usable: Int {
    let allowed = max(1, Int(csys_usable_processors()))
    return quotas().map(\.processors).reduce(allowed, min)
  }

  /// The quotas of this process's group and of all groups around it, as far as they can be read.
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
