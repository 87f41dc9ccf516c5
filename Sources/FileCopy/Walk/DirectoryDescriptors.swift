import IOChannelsSystem

/// The two sides of a directory in the copy.
struct DirectoryPair: Sendable {
  var source: BorrowedDescriptor
  var destination: BorrowedDescriptor
}

/// The descriptors of a directory while it is held.
struct DirectoryDescriptors: ~Copyable {
  /// Nil where names are looked for from the working directory.
  private(set) var source: OwnedDescriptor?
  private(set) var destination: OwnedDescriptor?
  /// How many users rely on the descriptors just now.
  private(set) var pins = 0
  /// Whether somebody used them since they were last asked to go.
  private var wasUsed = false
  var slot: Int?

  /// Descriptors that were let go and are closed with this value.
  struct Released: ~Copyable {
    var source: OwnedDescriptor?
    var destination: OwnedDescriptor?
  }

  /// Keeps the descriptors for a user, who unpins them; nil when they are not held.
  mutating func pin() -> DirectoryPair? {
    guard let destination = destination?.borrowed else { return nil }
    pins += 1
    wasUsed = true
    return DirectoryPair(source: source?.borrowed ?? .workingDirectory, destination: destination)
  }

  /// Lets a user go.
  ///
  /// - Returns: The descriptors when nobody uses them and no slot entitles them to stay open.
  mutating func unpin(staysOpen: Bool) -> Released? {
    precondition(pins > 0, "A directory is let go as often as it is held.")
    pins -= 1
    return slot == nil && !staysOpen ? release(isPatient: false) : nil
  }

  /// Takes over descriptors unless some are held already.
  ///
  /// - Returns: Whether they were taken over; they are closed if not.
  mutating func hold(_ opened: consuming Released?) -> Bool {
    guard destination == nil, var opened else { return false }
    source = opened.source.take()
    destination = opened.destination.take()
    return true
  }

  /// Gives up the descriptors when nobody uses them and, if `isPatient`, nobody did of late.
  ///
  /// - Returns: Nil when they stay.
  mutating func release(isPatient: Bool) -> Released? {
    if pins > 0 { return nil }
    if isPatient && wasUsed {
      wasUsed = false
      return nil
    }
    slot = nil
    return Released(source: source.take(), destination: destination.take())
  }
}
