import QueueRuntime
import IOChannelsSystem

/// What few requests need: most move bytes, and as many of them may wait as there is memory.
final class RequestExtras {
  /// What a look at a file has seen.
  var status: FileStatus?
  /// Which bytes of a write the kernel has, or gets next, where it does not get all at once.
  var piece: Range<Int>?
  /// When a timeout ends; every attempt to wait for it has the same end.
  var deadline = Deadline.distantFuture
  /// The timer of a timeout, under the lock of those.
  var timer: TimerToken?
  /// Called after the owner, for the engine, when others wait for the end.
  var successor: ((Request) -> Void)?
  /// What the kernel reads and writes besides bytes of a transfer, until the request is gone.
  var memory: RequestMemory?
}
