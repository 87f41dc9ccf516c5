internal import CIOChannelsSystem

/// The activity of a thread for a queue, linked to the activities around it.
///
/// A thread has a frame for each queue that it drains and for each closure that it runs in `sync`.
/// The queues of its frames, and the targets of those, are the queues that it occupies.
@safe
struct QueueFrame {
  /// The way in which a thread occupies a queue.
  enum Occupation: UInt8 {
    case none
    case shared
    /// The thread is the only one inside.
    case exclusive
  }

  private let queue: Unmanaged<WorkQueue>
  private let occupation: Occupation
  private let outer: UnsafePointer<QueueFrame>?
  /// The activity of the thread that waits for this one, nil if none does.
  private let waiter: UnsafePointer<QueueFrame>?

  /// The activity of a thread that waits until another thread has run its closure.
  @safe
  struct Waiting: @unchecked Sendable {
    fileprivate let innermost: UnsafePointer<QueueFrame>?
  }

  /// The activity of the calling thread, for the time that it waits.
  static var waiting: Waiting { unsafe Waiting(innermost: innermost) }

  /// Runs a closure as work of a queue.
  ///
  /// The closure may be code of the program, so the name of the C function that called the package
  /// ends here.
  @inline(__always)
  static func run<Result: ~Copyable, Failure>(
    on queue: WorkQueue,
    _ occupation: Occupation,
    for waiting: Waiting? = nil,
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outer = unsafe innermost
    let frame = unsafe QueueFrame(
      queue: .passUnretained(queue),
      occupation: occupation,
      outer: outer,
      waiter: waiting?.innermost
    )
    // The frame lies on this thread's stack and is the innermost one only while it exists; the
    // caller keeps the queue.
    return unsafe try withUnsafePointer(to: frame) { (frame) throws(Failure) in
      unsafe csys_queue_frame_set(frame)
      defer { unsafe csys_queue_frame_set(outer) }
      csys_call_name_set(nil)
      return try body()
    }
  }

  /// The queue whose work the calling thread runs.
  static var currentQueue: WorkQueue? {
    unsafe innermost.map { frame in unsafe frame.pointee.queue.takeUnretainedValue() }
  }

  /// Returns the way in which the calling thread occupies a queue, directly or as the target of
  /// another.
  static func occupation(of queue: WorkQueue) -> Occupation {
    var strongest = Occupation.none
    forEachOccupied { other, occupation in
      if other === queue && strongest != .exclusive { strongest = occupation }
    }
    return strongest
  }

  /// Whether the calling thread occupies any queue.
  static var isInside: Bool { unsafe innermost != nil }

  /// Calls a function for each queue that the calling thread occupies, the innermost first, and for
  /// those of threads that wait for it.
  static func forEachOccupied(_ body: (WorkQueue, Occupation) -> Void) {
    unsafe visit(from: innermost, body)
  }

  private static func visit(
    from innermost: UnsafePointer<QueueFrame>?,
    _ body: (WorkQueue, Occupation) -> Void
  ) {
    var next = unsafe innermost
    while let frame = unsafe next {
      let queue = unsafe frame.pointee.queue.takeUnretainedValue()
      unsafe body(queue, frame.pointee.occupation)
      var above = queue.target
      while let target = above {
        body(target, target.isSerial ? .exclusive : .shared)
        above = target.target
      }
      unsafe visit(from: frame.pointee.waiter, body)
      unsafe next = frame.pointee.outer
    }
  }

  /// Whether the calling thread runs a task of Swift's concurrency.
  static var isInsideTask: Bool { unsafe withUnsafeCurrentTask { unsafe $0 != nil } }

  private static var innermost: UnsafePointer<QueueFrame>? {
    unsafe csys_queue_frame_get()?.assumingMemoryBound(to: QueueFrame.self)
  }
}
