/// A variable that is confined to one thread at a time: the thread that holds its object.
///
/// Another variable decides on the holder, and passing the hold orders memory; so a read needs no
/// atomic operation.
@safe
struct ConfinedValue<Value: Sendable>: ~Copyable, @unchecked Sendable {
  private let storage: UnsafeMutablePointer<Value>

  init(_ initial: Value) {
    unsafe storage = .allocate(capacity: 1)
    unsafe storage.initialize(to: initial)
  }

  deinit {
    unsafe storage.deinitialize(count: 1)
    unsafe storage.deallocate()
  }

  /// The value, for the holder only.
  var value: Value {
    get { unsafe storage.pointee }
    nonmutating set { unsafe storage.pointee = newValue }
  }
}
