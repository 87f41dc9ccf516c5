import IOChannelsSystem
internal import IOChannelsLocks
import Synchronization

/// A check whether the destination has enough free space for all sources, which causes a warning.
final class SpaceCheck: Sendable {
  private let context: CopyContext
  private let state = BargingLock(State())
  /// Whether blocks of some file were shared.
  private let hasCloned = Atomic<Bool>(false)

  private struct State {
    var rule = SpaceRule(free: nil)
    var sources: [BytePath] = []
    var destination: BytePath = ""
    /// The number of destinations on the file system.
    var copies: Int64 = 1
    var device: UInt64?
  }

  init(_ context: CopyContext) {
    self.context = context
  }

  /// Records the free space at the destination before the copy.
  ///
  /// - Parameters:
  ///   - place: The directory of the destination.
  ///   - sources: The operands.
  ///   - destination: The path for messages.
  ///   - copies: The number of destinations that share the space.
  func begin(
    at place: BorrowedDescriptor,
    for sources: [BytePath],
    to destination: BytePath,
    copies: Int = 1
  ) {
    let options = context.options
    guard options.contents.copiesBytes, options.tree.product == .copies, !options.isDryRun else {
      return
    }
    // A part writes some of the files, and a copy beside an earlier one those that changed.
    if options.shard != nil || options.earlier != nil { return }
    let rule = SpaceRule(free: try? place.freeSpace())
    let device = (try? place.status())?.identity.device
    state.withLock { state in
      state.rule = rule
      state.sources = sources
      state.destination = destination
      state.copies = Int64(copies)
      state.device = device
    }
  }

  /// Records that blocks of a file were shared.
  func noteClone() {
    hasCloned.store(true, ordering: .relaxed)
  }

  /// Records that a file with `allocated` bytes is about to be written, and warns if there is too
  /// little space for all.
  ///
  /// Shared blocks need no space, and an overwritten file frees its own.
  func recordWrite(of allocated: Int64) {
    let due = state.withLock { state in
      state.rule.recordWrite(of: allocated).map { (free: $0, state) }
    }
    guard let (free, begun) = due, !isOneFile(begun.sources) else { return }
    let hasCloned = hasCloned.load(ordering: .relaxed)
    var needed: Int64 = 0
    var count = SourceCount(context.options) { [monitor = context.monitor] in
      !monitor.isStopping
    } report: { found in
      for _ in 0..<begun.copies {
        needed.grow(by: hasCloned ? found.allocatedBySmall : found.allocated)
      }
    }
    for source in begun.sources { count.count(source, from: .workingDirectory) }
    if needed > free, context.shared?.isFirstLack(on: begun.device) ?? true {
      context.warn(CopyError(.littleSpace(needed: needed, free: free), begun.destination))
    }
  }

  /// Whether the sources are one file, whose own failure reports the lack of space.
  private func isOneFile(_ sources: [BytePath]) -> Bool {
    guard sources.count == 1, let source = sources.first,
      let status = try? BorrowedDescriptor.workingDirectory.status(of: source, following: true)
    else { return false }
    return status.kind != .directory
  }
}
