import IOChannelsSystem

/// Keeps the bytes of one file from staying in the page cache.
///
/// A source that was in memory before stays there: somebody else may need it.
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

  /// Notes that bytes were copied behind those before.
  func moved(_ count: Int) throws(DataFailure) {
    guard let step = window.moved(Int64(count)) else { return }
    let (written, dropped) = (step.written, step.dropped)
    try writeBack(written.lowerBound, Int64(written.count), waits: false)
    if dropped.isEmpty { return }
    let length = Int64(dropped.count)
    try writeBack(dropped.lowerBound, length, waits: true)
    try? destination.advise(.dontNeed, offset: dropped.lowerBound, length: length)
    if !keepsSource { try? source.advise(.dontNeed, offset: dropped.lowerBound, length: length) }
  }

  /// Drops what is left of a file that is complete.
  func finish() throws(DataFailure) {
    try writeBack(0, 0, waits: true)
    try? destination.advise(.dontNeed)
    if !keepsSource { try? source.advise(.dontNeed) }
  }

  /// What cannot be written back ahead costs memory, not the copy. A disk that does not take the
  /// bytes tells so once, perhaps here and not again at the closing.
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
