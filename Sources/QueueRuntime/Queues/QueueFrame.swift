internal import SystemCalls

/// What a thread does for a queue at this moment, linked to what it was doing around that.
///
/// A thread has a frame for each queue that it drains and for each closure that it runs in `sync`.
/// The queues of its frames, and the queues that those target, are the ones it occupies.
@safe
struct QueueFrame {
  /// How a thread occupies a queue.
  enum Occupation: Equatable {
    case none
    case shared
    /// With no other thread inside.
    case exclusive
  }

  private let queue: Unmanaged<WorkQueue>
  private let occupation: Occupation
  private let outer: UnsafePointer<QueueFrame>?

  /// Runs a closure as work of a queue.
  @inline(__always)
  static func run<Result: ~Copyable, Failure>(
    on queue: WorkQueue,
    _ occupation: Occupation,
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outer = unsafe innermost
    let frame = unsafe QueueFrame(
      queue: .passUnretained(queue),
      occupation: occupation,
      outer: outer
    )
    // The frame lies on this thread's stack and is the innermost no longer than it is there; the
    // caller keeps the queue.
    return unsafe try withUnsafePointer(to: frame) { (frame) throws(Failure) in
      unsafe PlatformThread.queueFrame = UnsafeRawPointer(frame)
      defer { unsafe PlatformThread.queueFrame = UnsafeRawPointer(outer) }
      return try body()
    }
  }

  /// The queue whose work the calling thread runs.
  static var currentQueue: WorkQueue? {
    unsafe innermost.map { frame in unsafe frame.pointee.queue.takeUnretainedValue() }
  }

  /// How the calling thread occupies a queue, by itself or as the target of another.
  static func occupation(of queue: WorkQueue) -> Occupation {
    var strongest = Occupation.none
    forEachOccupied { other, occupation in
      if other === queue && strongest != .exclusive { strongest = occupation }
    }
    return strongest
  }

  /// Calls a function for each queue that the calling thread occupies, the innermost first.
  static func forEachOccupied(_ body: (WorkQueue, Occupation) -> Void) {
    var next = unsafe innermost
    while let frame = unsafe next {
      let queue = unsafe frame.pointee.queue.takeUnretainedValue()
      unsafe body(queue, frame.pointee.occupation)
      var above = queue.target
      while let target = above {
        body(target, target.isSerial ? .exclusive : .shared)
        above = target.target
      }
      unsafe next = frame.pointee.outer
    }
  }

  /// Whether the calling thread runs a task of Swift's concurrency.
  static var isInsideTask: Bool { unsafe withUnsafeCurrentTask { unsafe $0 != nil } }

  private static var innermost: UnsafePointer<QueueFrame>? {
    unsafe PlatformThread.queueFrame?.assumingMemoryBound(to: QueueFrame.self)
  }
}
