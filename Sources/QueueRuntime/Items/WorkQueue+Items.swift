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
  /// - Precondition: The same as for `sync` with a closure.
  public func sync(execute item: WorkItem) {
    sync(flags: item.flags) { item.perform() }
  }

  /// Runs an item as work of the queue and returns when the item has run.
  ///
  /// - Precondition: The same as for `asyncAndWait` with a closure.
  public func asyncAndWait(execute item: WorkItem) {
    asyncAndWait(flags: item.flags) { item.perform() }
  }
}
