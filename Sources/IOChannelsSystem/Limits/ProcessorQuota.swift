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
