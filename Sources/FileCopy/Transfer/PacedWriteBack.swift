import IOChannelsSystem
import Synchronization

/// The write-back of one file behind its copy, so that little copied data is unwritten at any time.
///
/// Without it the kernel collects gigabytes before it writes, and other programs that flush a few
/// bytes then wait for all of them.
final class PacedWriteBack {
  /// The unwritten bytes of small files, which all threads of a copy count together.
  ///
  /// A small file is shorter than a window. Its write-back is begun and not awaited. The thread
  /// that completes a window's worth of such bytes waits for its own file, which the disk writes
  /// last.
  final class SmallFiles: Sendable {
    private let unwritten = Atomic<Int64>(0)

    /// Adds bytes whose write-back was begun.
    ///
    /// - Returns: Whether to wait for the file that has them.
    func add(_ count: Int64) -> Bool {
      let sum = unwritten.wrappingAdd(count, ordering: .relaxed).newValue
      if sum < PacedWriteBack.windowLength { return false }
      unwritten.store(0, ordering: .relaxed)
      return true
    }
  }

  /// The length of the windows. A copy has at most two of them unwritten in each thread.
  ///
  /// The disk completes a flush of another program only after the windows in its queue.
  static let windowLength: Int64 = 1 << 20

  private let destination: BorrowedDescriptor
  private let smallFiles: SmallFiles
  private var window = DropWindow(length: PacedWriteBack.windowLength)

  init(_ destination: BorrowedDescriptor, _ smallFiles: SmallFiles) {
    self.destination = destination
    self.smallFiles = smallFiles
  }

  /// Records that the copy has reached an offset. Begins the write-back of a complete window, and
  /// waits for that of the window before it.
  func advance(to end: Int64) throws(DataFailure) {
    if let step = window.advance(to: end) { try destination.writeBack(step) }
  }

  /// Begins the write-back of the rest of a complete file, and waits for that of its last window.
  ///
  /// Otherwise the windows of many files would be unwritten together. The rest counts as a small
  /// file.
  func finish() throws(DataFailure) {
    let (rest, last) = (window.unsubmitted, window.unawaited)
    if !rest.isEmpty {
      let waits = smallFiles.add(Int64(rest.count))
      try destination.writeBackIfSupported(rest.lowerBound, Int64(rest.count), waits: waits)
    }
    if last.isEmpty { return }
    try destination.writeBackIfSupported(last.lowerBound, Int64(last.count), waits: true)
  }
}

extension BorrowedDescriptor {
  /// Begins the write-back of a window, and waits for that of the window before it.
  func writeBack(_ step: DropWindow.Step) throws(DataFailure) {
    let (written, awaited) = (step.written, step.dropped)
    try writeBackIfSupported(written.lowerBound, Int64(written.count), waits: false)
    if awaited.isEmpty { return }
    try writeBackIfSupported(awaited.lowerBound, Int64(awaited.count), waits: true)
  }

  /// Writes back a range of a destination, and waits for it if `waits` is set.
  ///
  /// On a file system without this operation the pages stay in memory, and the copy continues. An
  /// error of the disk is thrown. The kernel reports it only once, and possibly not again when the
  /// file is closed.
  func writeBackIfSupported(
    _ offset: Int64,
    _ length: Int64,
    waits: Bool
  ) throws(DataFailure) {
    do throws(SystemError) {
      try writeBack(offset: offset, length: length, waits: waits)
    } catch {
      switch error {
      case .illegalSeek, .invalidArgument, .noFunction, .notSupported: break
      default: throw DataFailure(side: .writing, error: error)
      }
    }
  }
}
