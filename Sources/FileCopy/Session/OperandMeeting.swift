import IOChannelsSystem

/// Tells whether a source shares files with the place that the operands go to.
///
/// What earlier operands still do there would show in such a source, so it has to wait for them.
struct OperandMeeting {
  private let place: FileIdentity
  /// The directories around the place, once they were looked for.
  private var around: Set<FileIdentity>?
  /// What was found for the directory of the source before: most sources share one.
  private var last: (directory: BytePath, isInside: Bool)?

  init(place: FileIdentity) {
    self.place = place
  }

  /// Whether a source is inside the place or around it, or may be: what cannot be found out counts.
  mutating func mayShow(
    _ source: BytePath,
    following: Bool,
    in pair: DirectoryPair
  ) -> Bool {
    if isInside(OperandNames.split(source).directory, in: pair) { return true }
    guard let found = try? pair.source.status(of: source) else { return true }
    switch found.kind {
    case .symbolicLink: return following
    case .directory: return isAround(found.identity, in: pair) || isInsidePlace(source, in: pair)
    default: return false
    }
  }

  private mutating func isInside(_ directory: BytePath, in pair: DirectoryPair) -> Bool {
    if let last, last.directory == directory { return last.isInside }
    let isInside = isInsidePlace(directory.isEmpty ? "." : directory, in: pair)
    last = (directory, isInside)
    return isInside
  }

  private func isInsidePlace(_ directory: BytePath, in pair: DirectoryPair) -> Bool {
    guard let chain = try? OperandMeeting.chain(from: directory, in: pair.source) else {
      return true
    }
    return chain.contains(place)
  }

  private mutating func isAround(_ identity: FileIdentity, in pair: DirectoryPair) -> Bool {
    if around == nil { around = try? OperandMeeting.chain(from: ".", in: pair.destination) }
    return around?.contains(identity) ?? true
  }

  /// A directory and all those above it.
  static func chain(
    from directory: BytePath,
    in base: BorrowedDescriptor
  ) throws(SystemError) -> Set<FileIdentity> {
    var current = try base.open(directory, [.path, .directory])
    var chain: Set<FileIdentity> = []
    // The root is its own parent.
    while try chain.insert(current.borrowed.status().identity).inserted {
      current = try current.borrowed.open("..", [.path, .directory])
    }
    return chain
  }
}
