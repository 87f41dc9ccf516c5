internal import CSystem

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
    guard let text = contents("/proc/self/cgroup"),
      let group = ControlGroup.ofProcessorTime(in: text)
    else { return [] }
    return group.ancestors.compactMap { path in
      if group.isUnified {
        return contents("/sys/fs/cgroup\(path)/cpu.max").flatMap { ProcessorQuota(maximum: $0) }
      }
      let directory = "/sys/fs/cgroup/cpu\(path)"
      guard let quota = contents("\(directory)/cpu.cfs_quota_us"),
        let period = contents("\(directory)/cpu.cfs_period_us")
      else { return nil }
      return ProcessorQuota(quota: quota, period: period)
    }
  }

  /// The first 16 KiB of a file of the kernel's.
  private static func contents(_ path: String) -> String? {
    var bytes = [UInt8](repeating: 0, count: 16 << 10)
    let result = unsafe csys_control_file(path, &bytes, bytes.count)
    guard let count = try? result.get() else { return nil }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }
}
