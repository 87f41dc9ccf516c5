import IOChannelsSystem

/// The removal of one file's pages from the page cache, during and after its copy.
///
/// A source that was cached before the copy stays cached, because another process may need it.
final class CacheDropper {
  private let source: BorrowedDescriptor
  private let destination: BorrowedDescriptor
  private let keepsSource: Bool
  private var window = DropWindow()

  init(source: BorrowedDescriptor, destination: BorrowedDescriptor) {
    self.source = source
    self.destination = destination
    keepsSource = source.isInMemory(at: 0)
  }

  /// Records further copied bytes. Flushes and drops a range when enough bytes have accumulated.
  func advance(by count: Int) throws(DataFailure) {
    guard let step = window.advance(by: Int64(count)) else { return }
    let (written, dropped) = (step.written, step.dropped)
    try writeBack(written.lowerBound, Int64(written.count), waits: false)
    if dropped.isEmpty { return }
    let length = Int64(dropped.count)
    try writeBack(dropped.lowerBound, length, waits: true)
    try? destination.advise(.dontNeed, offset: dropped.lowerBound, length: length)
    if !keepsSource { try? source.advise(.dontNeed, offset: dropped.lowerBound, length: length) }
  }

  /// Flushes a complete file and drops its remaining pages.
  func finish() throws(DataFailure) {
    try writeBack(0, 0, waits: true)
    try? destination.advise(.dontNeed)
    if !keepsSource { try? source.advise(.dontNeed) }
  }

  /// Writes back a range of the destination, and waits for it if `waits` is set.
  ///
  /// On a file system without this operation the pages stay in memory, and the copy continues. An
  /// error of the disk is thrown. The kernel reports it only once, and possibly not again when the
  /// file is closed.
  private func writeBack(_ offset: Int64, _ length: Int64, waits: Bool) throws(DataFailure) {
    do throws(SystemError) {
      try destination.writeBack(offset: offset, length: length, waits: waits)
    } catch {
      switch error {
      case .illegalSeek, .invalidArgument, .noFunction, .notSupported: break
      default: throw DataFailure(side: .writing, error: error)
      }
    }
  }
}
