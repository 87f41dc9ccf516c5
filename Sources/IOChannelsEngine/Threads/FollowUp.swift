import CIOChannelsSystem
import QueueRuntime

/// A place on the stack of a thread of the pool, where the owner of a request that ends there can
/// leave the next one: so an operation of many requests stays on its thread.
@safe
struct FollowUp {
  private let backend: Unmanaged<ThreadBackend>
  /// That of the thread.
  private let priority: WorkQueue.QoS.QoSClass
  private var request: Request?

  private init(_ backend: ThreadBackend, _ priority: WorkQueue.QoS.QoSClass) {
    unsafe self.backend = .passUnretained(backend)
    self.priority = priority
  }

  /// Gives the request that was left while `body` ran on this thread, which serves those of one
  /// priority, if there was one.
  static func left(
    for backend: ThreadBackend,
    priority: WorkQueue.QoS.QoSClass,
    during body: () -> Void
  ) -> Request? {
    var place = FollowUp(backend, priority)
    let outer = unsafe csys_follow_up_get()
    // The place is known to this thread alone, and only as long as it is there.
    unsafe withUnsafeMutablePointer(to: &place) { pointer in
      unsafe csys_follow_up_set(pointer)
      body()
      unsafe csys_follow_up_set(outer)
    }
    return place.request
  }

  /// Leaves a request to the calling thread.
  ///
  /// - Returns: False when it makes no calls for `backend` just now, serves those of another
  ///   priority (S112), or has one already.
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
