extension Piece {
  /// The object that keeps the bytes.
  var keeper: any RegionOwner {
    guard let keeper = owner as? any RegionOwner else {
      preconditionFailure("What keeps a region is an owner.")
    }
    return keeper
  }

  /// Whether the caller's code frees the bytes.
  var hasCustomMemory: Bool { (owner as? ForeignBytes)?.isCustom ?? false }

  /// The identity of the object that keeps the bytes.
  var keeperIdentity: ObjectIdentifier { ObjectIdentifier(owner) }

  /// The result of an attempt to add bytes to a piece.
  enum Extension {
    case longer(Piece)
    /// The bytes need another owner, which should have that capacity if it is not `nil`.
    case impossible(nextCapacity: Int?)
  }

  /// Adds bytes directly after these, if the owner has room there that is not claimed.
  func extended(by bytes: RawSpan) -> Extension {
    guard let room = owner as? GrowingBytes else { return .impossible(nextCapacity: nil) }
    let end = end(in: room)
    switch room.claim.take(bytes.byteCount, at: end) {
    case .claimed:
      room.fill(bytes, at: end)
      return .longer(lengthened(by: bytes.byteCount))
    case .outgrown(let next):
      return .impossible(nextCapacity: next)
    case .lost:
      let next = AppendClaim.capacityOfALoser(appending: bytes.byteCount)
      return .impossible(nextCapacity: next)
    }
  }
}
