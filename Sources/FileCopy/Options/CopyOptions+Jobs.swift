extension CopyOptions {
  /// The most files that are copied at a time where nobody says it; see ``JobRule``.
  ///
  /// Beyond eight the processors are enough.
  static func jobs(processors: Int) -> Int { max(processors, min(4 * processors, 8)) }
}
