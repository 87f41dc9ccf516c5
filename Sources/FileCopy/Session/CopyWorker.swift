import SystemCalls

/// What one thread of a copy keeps from file to file.
final class CopyWorker {
  typealias Crew = CopyWorkers<CopyTask, CopyWorker>

  let crew: Crew
  var reader = DirectoryReader()
  /// One byte longer than what is read at once, see ``CopyEnds/copyOneShot(_:)``.
  var buffer = PageBuffer(count: CopyPlan.oneShotLimit + 1)
  var report = CopyReport()
  private var chunk: PageBuffer?
  /// How much is streamed at a time: it stays in a near cache from the read to the write.
  private static let chunkLength = 256 << 10

  init(crew: Crew) {
    self.crew = crew
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
