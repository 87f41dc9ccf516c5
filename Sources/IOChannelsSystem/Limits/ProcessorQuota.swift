/// The quota of processor time of a control group.
struct ProcessorQuota: Equatable {
  /// The microseconds of processor time in each period.
  var quota: Int
  /// The length of a period in microseconds.
  var period: Int

  /// Parses a `cpu.max` file of version 2: a quota or `max`, and a period.
  ///
  /// - Returns: Nil if there is no limit or the text is invalid.
  init?(maximum text: String) {
    let fields = text.split { $0 == " " || $0 == "\n" }
    guard fields.count == 2 else { return nil }
    self.init(quota: String(fields[0]), period: String(fields[1]))
  }

  /// Parses the files `cpu.cfs_quota_us` and `cpu.cfs_period_us` of version 1.
  ///
  /// - Returns: Nil if there is no limit, for which the quota is -1, or the text is invalid.
  init?(quota: String, period: String) {
    guard let quota = Int(quota.filter { $0 != "\n" }),
      let period = Int(period.filter { $0 != "\n" }),
      quota > 0, period > 0
    else { return nil }
    self.quota = quota
    self.period = period
  }

  /// The number of processors that the quota allows, rounded up.
  var processors: Int { max(1, quota / period + (quota % period == 0 ? 0 : 1)) }
}
