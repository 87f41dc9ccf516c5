import CIOChannelsSystem
import QueueRuntime

/// A place on a thread's stack for the next request of an owner whose request ends there.
///
/// So an operation with many requests stays on its thread.
@safe
struct FollowUp {
  private let backend: Unmanaged<ThreadBackend>
  /// The class that the thread serves.
  private let priority: WorkQueue.QoS.QoSClass
  private var request: Request?

  private init(_ backend: ThreadBackend, _ priority: WorkQueue.QoS.QoSClass) {
    unsafe self.backend = .passUnretained(backend)
    self.priority = priority
  }

  /// Runs `body` on this thread and returns the request that was left meanwhile, if any.
  ///
  /// `priority` is the class that the thread serves.
  static func left(
    for backend: ThreadBackend,
    priority: WorkQueue.QoS.QoSClass,
    during body: () -> Void
  ) -> Request? {
    var place = FollowUp(backend, priority)
    let outer = unsafe csys_follow_up_get()
    // Only this thread knows the address, and only while the place exists.
    unsafe withUnsafeMutablePointer(to: &place) { pointer in
      unsafe csys_follow_up_set(pointer)
      body()
      unsafe csys_follow_up_set(outer)
    }
    return place.request
  }

  /// Leaves a request to the calling thread.
  ///
  /// - Returns: False if the thread makes no calls for `backend` now, serves another priority
  ///   (S112) or has such a request already.
  static func leave(_ request: Request, for backend: ThreadBackend) -> Bool {
    guard let place = unsafe csys_follow_up_get()?.assumingMemoryBound(to: FollowUp.self),
      unsafe place.pointee.request == nil,
      unsafe place.pointee.priority == request.priority,
      unsafe place.pointee.backend.toOpaque() == Unmanaged.passUnretained(backend).toOpaque()
    else { return false }
    unsafe place.pointee.request = request
    return true
  }
}
