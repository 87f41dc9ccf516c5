import CSystem

/// A place on the stack of a thread of the pool, where the owner of a request that ends there can
/// leave the next one: so an operation of many requests stays on its thread.
@safe
struct FollowUp {
  private let backend: Unmanaged<ThreadBackend>
  private var request: Request?

  private init(_ backend: ThreadBackend) {
    unsafe self.backend = .passUnretained(backend)
  }

  /// Gives the request that was left while `body` ran on this thread, if there was one.
  static func left(for backend: ThreadBackend, during body: () -> Void) -> Request? {
    var place = FollowUp(backend)
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
  /// - Returns: False when it makes no calls for `backend` just now, or has one already.
  static func leave(_ request: Request, for backend: ThreadBackend) -> Bool {
    guard let place = unsafe csys_follow_up_get()?.assumingMemoryBound(to: FollowUp.self),
      unsafe place.pointee.request == nil,
      unsafe place.pointee.backend.toOpaque() == Unmanaged.passUnretained(backend).toOpaque()
    else { return false }
    unsafe place.pointee.request = request
    return true
  }
}
