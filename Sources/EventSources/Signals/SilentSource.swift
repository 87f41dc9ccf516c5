/// A source that never has an event, for signals that a C program may name and that cannot be
/// counted.
///
/// Its registration and cancel handlers are called like those of any source.
package final class SilentSource: EventSource, @unchecked Sendable {
  /// The number with which the source was created.
  package let handle: UInt

  /// Creates a source; its handlers run on the default global queue if `queue` is nil.
  package init(handle: UInt, queue: WorkQueue?) {
    self.handle = handle
    super.init(core: SourceCore(target: queue, merging: .sum))
  }
}
