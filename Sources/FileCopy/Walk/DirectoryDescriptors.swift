import IOChannelsSystem

/// The open source and destination of a directory.
struct DirectoryPair: Sendable {
  var source: BorrowedDescriptor
  var destination: BorrowedDescriptor
}

/// The descriptors of a directory, which are reference-counted while it is in use.
struct DirectoryDescriptors: ~Copyable {
  /// The source; nil if its names are relative to the working directory.
  private(set) var source: OwnedDescriptor?
  private(set) var destination: OwnedDescriptor?
  /// The number of current users of the descriptors.
  private(set) var pins = 0
  /// Whether the descriptors were used since the last attempt to evict them.
  ///
  /// This is the reference bit of the clock algorithm.
  private var isReferenced = false
  /// The slot that entitles the descriptors to stay open without users.
  var slot: Int?

  /// Released descriptors, which are closed when this value is destroyed.
  struct Released: ~Copyable {
    var source: OwnedDescriptor?
    var destination: OwnedDescriptor?
  }

  var isOpen: Bool { destination != nil }

  /// Pins the descriptors for a user, who must unpin them; nil if they are closed.
  mutating func pin() -> DirectoryPair? {
    guard let destination = destination?.borrowed else { return nil }
    pins += 1
    isReferenced = true
    return DirectoryPair(source: source?.borrowed ?? .workingDirectory, destination: destination)
  }

  /// Unpins the descriptors.
  ///
  /// - Returns: The descriptors, if they have no other user and no slot entitles them to stay open.
  mutating func unpin(staysOpen: Bool) -> Released? {
    precondition(pins > 0, "A directory is released as often as it is held.")
    pins -= 1
    return slot == nil && !staysOpen ? release(givesSecondChance: false) : nil
  }

  /// Takes ownership of descriptors, unless some are open already.
  ///
  /// - Returns: Whether it took ownership. Otherwise the new descriptors are closed.
  mutating func hold(_ opened: consuming Released?) -> Bool {
    guard destination == nil, var opened else { return false }
    source = opened.source.take()
    destination = opened.destination.take()
    return true
  }

  /// Releases the descriptors if they have no user.
  ///
  /// With `givesSecondChance`, descriptors that were used since the last such attempt stay open.
  ///
  /// - Returns: The descriptors; nil if they stay open.
  mutating func release(givesSecondChance: Bool) -> Released? {
    if pins > 0 { return nil }
    if givesSecondChance && isReferenced {
      isReferenced = false
      return nil
    }
    slot = nil
    return Released(source: source.take(), destination: destination.take())
  }
}
