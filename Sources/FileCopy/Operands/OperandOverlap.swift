import IOChannelsSystem

/// A search for sources that share files with the directory that the operands are copied into.
///
/// Such a source must wait for earlier operands, whose copies would otherwise appear in it.
struct OperandOverlap {
  private let place: FileIdentity
  /// The parents of the place, once they were found.
  private var around: Set<FileIdentity>?
  /// The result for the directory of the previous source. Most sources share one.
  private var last: (directory: BytePath, isInside: Bool)?

  init(place: FileIdentity) {
    self.place = place
  }

  /// Whether a source is inside the place or contains it, or that cannot be found out.
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
    guard let chain = try? OperandOverlap.chain(from: directory, in: pair.source) else {
      return true
    }
    return chain.contains(place)
  }

  private mutating func isAround(_ identity: FileIdentity, in pair: DirectoryPair) -> Bool {
    if around == nil { around = try? OperandOverlap.chain(from: ".", in: pair.destination) }
    return around?.contains(identity) ?? true
  }

  /// Returns a directory and all its parents.
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
