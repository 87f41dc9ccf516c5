import SystemCalls

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

  /// Notes that bytes were copied behind those before. What fails costs memory, not the copy.
  func moved(_ count: Int) {
    guard let step = window.moved(Int64(count)) else { return }
    let (written, dropped) = (step.written, step.dropped)
    try? destination.writeBack(
      offset: written.lowerBound,
      length: Int64(written.count),
      waits: false
    )
    if dropped.isEmpty { return }
    let length = Int64(dropped.count)
    try? destination.writeBack(offset: dropped.lowerBound, length: length, waits: true)
    try? destination.advise(.dontNeed, offset: dropped.lowerBound, length: length)
    if !keepsSource { try? source.advise(.dontNeed, offset: dropped.lowerBound, length: length) }
  }

  /// Drops what is left of a file that is complete.
  func finish() {
    try? destination.writeBack(offset: 0, length: 0, waits: true)
    try? destination.advise(.dontNeed)
    if !keepsSource { try? source.advise(.dontNeed) }
  }
}
