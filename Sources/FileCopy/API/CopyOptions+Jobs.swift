extension CopyOptions {
  /// Returns the default limit of files copied at once; see ``JobRule``.
  ///
  /// With eight or more processors, the limit is their number.
  static func jobs(processors: Int) -> Int { max(processors, min(4 * processors, 8)) }
}
