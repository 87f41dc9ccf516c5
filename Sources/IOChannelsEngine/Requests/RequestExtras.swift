import IOChannelsSystem

/// Fields that few requests use.
///
/// Most requests transfer bytes, and as many of them may be pending as there is memory.
final class RequestExtras {
  /// The metadata that a status request has read.
  var status: FileStatus?
  /// The range of a write that the kernel has or gets next, if that is not everything.
  var piece: Range<Int>?
  /// A closure of the engine that is called after the owner, if other requests wait for the end.
  var successor: ((Request) -> Void)?
}
