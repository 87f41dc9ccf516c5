import IOChannelsSystem

/// The removal of one file's pages from the page cache, during and after its copy.
///
/// A source that was cached before the copy stays cached, because another process may need it.
final class CacheDropper {
  private let source: BorrowedDescriptor
  private let destination: BorrowedDescriptor
  private let keepsSource: Bool
  private let identity: FileIdentity
  /// The sources that several destinations drop; nil for one destination.
  private let sources: CachedSources?
  private var window = DropWindow()

  init(_ files: borrowing FilePair, _ sources: CachedSources?) {
    source = files.source
    destination = files.destination
    identity = files.status.identity
    self.sources = sources
    keepsSource = sources?.begin(source, identity) ?? source.isInMemory(at: 0)
  }

  deinit {
    sources?.end(identity)
  }

  /// Records that both files were copied or compared up to an offset. Flushes and drops a range
  /// when enough bytes have accumulated.
  func advance(to offset: Int64) throws(DataFailure) {
    guard let step = window.advance(to: offset) else { return }
    try destination.writeBack(step)
    let dropped = step.dropped
    if dropped.isEmpty { return }
    let length = Int64(dropped.count)
    try? destination.advise(.dontNeed, offset: dropped.lowerBound, length: length)
    if !keepsSource { try? source.advise(.dontNeed, offset: dropped.lowerBound, length: length) }
  }

  /// Flushes a complete file and drops its remaining pages.
  func finish() throws(DataFailure) {
    try destination.writeBackIfSupported(0, 0, waits: true)
    try? destination.advise(.dontNeed)
    if !keepsSource { try? source.advise(.dontNeed) }
  }
}
