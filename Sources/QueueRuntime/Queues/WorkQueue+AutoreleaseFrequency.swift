extension WorkQueue {
  /// The times at which Dispatch drains autorelease pools; kept for source compatibility with it.
  ///
  /// Linux has no autorelease pools, so all cases are ignored.
  public enum AutoreleaseFrequency: Sendable {
    /// The frequency of the target queue; ignored.
    case inherit
    /// A pool for each work item; ignored.
    case workItem
    /// No pool; ignored.
    case never
  }
}
