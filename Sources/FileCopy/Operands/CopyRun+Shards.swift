import IOChannelsSystem

/// The parts of a copy that several processes make.
extension CopyRun {
  /// Begins a part, or the step after all parts.
  ///
  /// - Returns: False if parts are missing, which was reported.
  func beginShard(
    _ names: [BytePath],
    in place: CopyDirectory,
    _ worker: CopyWorker
  ) throws(CopyError) -> Bool {
    guard let shard = context.options.shard, !context.options.isDryRun else { return true }
    switch shard {
    case .part(let index, let count):
      // A part that fails must not seem complete because of an earlier run.
      let part = ShardReports.Part(index: index, count: count)
      do throws(CopyError) {
        try withShardReports(names, in: place) { (reports) throws(CopyError) in
          try reports.remove(part)
        }
      } catch {
        // Another part may create the destination just now, or this one will.
        guard error.problem == .targetDirectory, error.error == .noSuchFileOrDirectory else {
          throw error
        }
      }
      return true
    case .finish:
      let failures = try withShardReports(names, in: place) { (reports) throws(CopyError) in
        reports.failures(of: try reports.all())
      }
      for failure in failures { worker.fail(failure) }
      return failures.isEmpty
    }
  }

  /// Adds the report of a complete part, or removes all reports after the last step.
  func endShard(
    _ names: [BytePath],
    in place: CopyDirectory,
    files count: Int
  ) throws(CopyError) {
    guard let shard = context.options.shard, !context.options.isDryRun else { return }
    try withShardReports(names, in: place) { (reports) throws(CopyError) in
      switch shard {
      case .part(let index, let parts):
        try reports.add(ShardReports.Part(index: index, count: parts), files: count)
      case .finish: try reports.removeAll()
      }
    }
  }

  /// Calls a closure with the reports of the parts, which are in the directory that the sources are
  /// copied into, or in the copy of the only source.
  private func withShardReports<Value>(
    _ names: [BytePath],
    in place: CopyDirectory,
    _ body: (ShardReports) throws(CopyError) -> Value
  ) throws(CopyError) -> Value {
    try parts.held.withPair(of: place) { (pair) throws(CopyError) in
      guard place.isBesideCopy, let name = names.first else {
        return try body(ShardReports(in: pair.destination, place.destinationPath("")))
      }
      let path = place.destinationPath(name)
      let copy = try attempt(.targetDirectory, path, try pair.destination.openDirectory(name))
      return try body(ShardReports(in: copy.borrowed, path))
    }
  }
}
