extension WorkQueue {
  /// Submits an item and returns at once.
  ///
  /// A group is entered now and left when the item has run or its run was passed over.
  public func async(group: WorkGroup? = nil, execute item: WorkItem) {
    async(group: group, qos: item.qos, flags: item.flags) { item.perform() }
  }

  /// Runs an item in its turn on the calling thread.
  ///
  /// - Precondition: As with `sync` of a closure.
  public func sync(execute item: WorkItem) {
    sync(flags: item.flags) { item.perform() }
  }

  /// Runs an item in its turn as work of the queue and returns when it has run.
  ///
  /// - Precondition: As with `asyncAndWait` of a closure.
  public func asyncAndWait(execute item: WorkItem) {
    asyncAndWait(flags: item.flags) { item.perform() }
  }
}
