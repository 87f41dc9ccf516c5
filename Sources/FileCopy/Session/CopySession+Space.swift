import QueueRuntime
import Synchronization
internal import IOChannelsLocks
import IOChannelsSystem

extension CopySession {
  /// Looks how much is free where the copy goes to.
  func noteSpace(at place: BorrowedDescriptor, for sources: [BytePath], to destination: BytePath) {
    guard options.copiesBytes, options.product == .copies, !options.isDryRun else { return }
    let rule = SpaceRule(free: try? place.freeSpace())
    space.withLock { space in
      space.rule = rule
      space.sources = sources
      space.destination = destination
    }
  }

  /// Warns when a file is about to be written and there is too little room for all of them.
  ///
  /// Blocks that are shared take no room, and a file that is overwritten gives its own.
  func checkSpace(for source: FileStatus) {
    let allocated = source.allocatedBytes
    let asked = space.withLock { space in
      space.rule.recordWrite(of: allocated).map { (free: $0, space.sources, space.destination) }
    }
    guard let (free, sources, destination) = asked else { return }
    let hasCloned = hasCloned.load(ordering: .relaxed)
    var needed: Int64 = 0
    var count = SourceCount(options) { [monitor] in
      !monitor.isStopping
    } tell: { found in
      needed.grow(by: hasCloned ? found.allocatedBySmall : found.allocated)
    }
    for source in sources { count.count(source, from: .workingDirectory) }
    if needed > free {
      warn(CopyError(.littleSpace(needed: needed, free: free), destination))
    }
  }

  /// What is known of the room at the destination.
  struct Space: Sendable {
    fileprivate var rule = SpaceRule(free: nil)
    fileprivate var sources: [BytePath] = []
    fileprivate var destination: BytePath = ""
  }
}
