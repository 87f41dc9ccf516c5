extension CopyOptions {
  /// How many files are copied at a time where nobody says it.
  ///
  /// More than there are processors: who reads what is not in memory waits for a disk most of the
  /// time, and disks answer several at once. Beyond eight the processors are enough.
  static func jobs(processors: Int) -> Int { max(processors, min(4 * processors, 8)) }
}
