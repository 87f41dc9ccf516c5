extension WorkQueue {
  /// Submits an item and returns at once.
  ///
  /// The group, if any, is entered now and left when the item has run, or was skipped because it
  /// was cancelled.
  public func async(group: WorkGroup? = nil, execute item: WorkItem) {
    async(group: group, qos: item.qos, flags: item.flags) { item.perform() }
  }

  /// Runs an item in submission order, on the calling thread.
  ///
  /// - Precondition: The wait does not depend on the caller itself, as explained for
  ///   `sync(flags:execute:)`.
  public func sync(execute item: WorkItem) {
    sync(flags: item.flags) { item.perform() }
  }

  /// Runs an item as work of the queue and returns when the item has run.
  ///
  /// - Precondition: The wait does not depend on the caller itself, as explained for
  ///   `sync(flags:execute:)`.
  public func asyncAndWait(execute item: WorkItem) {
    asyncAndWait(flags: item.flags) { item.perform() }
  }
}
