import IOChannelsSystem

/// What one thread of a copy keeps from file to file.
final class CopyWorker {
  typealias Crew = CopyWorkers<CopyTask, CopyWorker>

  let crew: Crew
  var reader = DirectoryReader()
  /// One byte longer than what is read at once, see ``FilePair/copyOneShot(_:)``.
  var buffer = PageBuffer(count: CopyPlan.oneShotLimit + 1)
  var report = CopyReport()
  private var chunk: PageBuffer?
  /// The failures of a file that is copied once more in another way; they are reported once.
  private var earlierFailures: ArraySlice<CopyError> = []
  /// How much is streamed at a time: it stays in a near cache from the read to the write.
  private static let chunkLength = 256 << 10

  init(crew: Crew) {
    self.crew = crew
  }

  /// Whether a failure was reported for an earlier copy of the same file.
  func isRepeated(_ failure: CopyError) -> Bool { earlierFailures.contains(failure) }

  /// Remembers the failures from `first` on, for another copy of the same file.
  func beginAgain(since first: Int) {
    earlierFailures += report.failures.dropFirst(first)
  }

  /// Forgets the failures of earlier copies of a file.
  func endAgain() {
    earlierFailures = []
  }

  /// Lends a buffer of 256 KiB, made when it is first asked for.
  func withChunk<Value>(
    _ body: (inout PageBuffer) throws(DataFailure) -> Value
  ) throws(DataFailure) -> Value {
    var lent = chunk.take() ?? PageBuffer(count: CopyWorker.chunkLength)
    let result = Result { () throws(DataFailure) in try body(&lent) }
    chunk = consume lent
    return try result.get()
  }
}
