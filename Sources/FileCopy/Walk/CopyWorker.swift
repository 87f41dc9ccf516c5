import IOChannelsSystem

/// The state of one thread of a copy.
final class CopyWorker {
  typealias Group = CopyWorkers<CopyTask, CopyWorker>

  let context: CopyContext
  let group: Group
  var reader = DirectoryReader()
  let report = WorkerReport()
  /// The progress of the file that the thread copies.
  let progress: FileProgress
  private var chunk: PageBuffer?
  private var earlierDirectory: DirectoryCursor?
  /// The failures of a file that is copied again in another way. They are reported once.
  private var earlierFailures: ArraySlice<CopyError> = []

  init(_ context: CopyContext, group: Group) {
    self.context = context
    self.group = group
    progress = FileProgress(context.monitor)
  }

  /// Whether no further file begins. If so, the report records that something is missing.
  var isStopped: Bool {
    if context.beginsNoFiles { report.isStopped = true }
    return report.isStopped
  }

  /// Reports a failure. A file that was left out because the copy is being stopped is not a
  /// failure, but makes the copy a stopped one.
  func fail(_ failure: CopyError) {
    if failure.problem == .stopped {
      report.isStopped = true
      return
    }
    if failure.error == .tooManyOpenFiles { return failAtLimit(failure.path) }
    if !earlierFailures.contains(where: failure.repeats) { record(failure) }
  }

  /// Lets no further file begin at the limit of open files, and reports it once.
  ///
  /// The number of jobs follows from the limit. With that few descriptors, most files would fail.
  private func failAtLimit(_ path: BytePath) {
    report.isStopped = true
    guard context.noteLimit() else { return }
    let limit = ProcessLimits.descriptors
    record(CopyError(.tooManyOpenFiles(limit: limit), path, .tooManyOpenFiles))
  }

  private func record(_ failure: CopyError) {
    report.add(failure)
    context.monitor.shared.countFailure()
    context.options.observer?.handle(.failure(failure))
    if context.options.stopsAtFailure { context.monitor.stop() }
  }

  /// Returns the directory of the earlier copy that the thread used last.
  func earlierDirectory(below root: BorrowedDescriptor) -> DirectoryCursor {
    let cursor = earlierDirectory ?? DirectoryCursor(at: root)
    earlierDirectory = cursor
    return cursor
  }

  /// Adds a task, which counts as unfinished work of a directory.
  func add(_ task: CopyTask, to directory: CopyDirectory) {
    directory.begin()
    group.add(task)
  }

  /// Remembers the failures after the first `count` ones, before the same file is copied again.
  func beginAgain(since count: Int) {
    earlierFailures += report.failures.dropFirst(count)
  }

  /// Forgets the failures of earlier copies of a file.
  func endAgain() {
    earlierFailures = []
  }

  /// Calls a closure with a buffer for the pieces of a file, which files with equal pieces share.
  func withChunk<Value>(
    for files: borrowing FilePair,
    _ body: (inout PageBuffer) throws(DataFailure) -> Value
  ) throws(DataFailure) -> Value {
    var lent = chunk.take() ?? PageBuffer(count: files.pieceLength)
    if lent.count != files.pieceLength { lent = PageBuffer(count: files.pieceLength) }
    let result = Result { () throws(DataFailure) in try body(&lent) }
    chunk = consume lent
    return try result.get()
  }
}
