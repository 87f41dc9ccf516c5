/// A sequence of regions as a balanced tree that values share.
///
/// Leaves hold up to `fanOut` pieces, branches up to `fanOut` trees of equal height. A node below
/// the root holds at least `minimum` entries unless nothing lies to its right: appending fills
/// the last nodes one by one and leaves full ones behind. The height is therefore logarithmic and,
/// for every count that fits into memory, so small that recursion over it is safe.
///
/// The arrays are the nodes: they provide sharing, copy on write and release.
struct RegionTree: Sendable {
  enum Content: Sendable {
    case leaf(ContiguousArray<Piece>)
    case branch(ContiguousArray<RegionTree>)
  }

  /// The most entries of a node.
  static let fanOut = 32

  /// The fewest entries of a node that has others to its right.
  ///
  /// A quarter leaves room: halves of a split node lose an entry to `mended()` without getting
  /// too small.
  static let minimum = fanOut / 4

  var content: Content
  var byteCount: Int
  var regionCount: Int

  init(leaf pieces: ContiguousArray<Piece>) {
    content = .leaf(pieces)
    byteCount = pieces.totalByteCount
    regionCount = pieces.count
  }

  init(branch children: ContiguousArray<RegionTree>) {
    content = .branch(children)
    byteCount = children.totalByteCount
    regionCount = children.indices.reduce(0) { $0 + children[$1].regionCount }
  }

  /// The number of pieces or subtrees right below the root.
  var entryCount: Int {
    switch content {
    case .leaf(let pieces): pieces.count
    case .branch(let children): children.count
    }
  }

  /// The number of levels below the root.
  var height: Int {
    guard case .branch(let children) = content else { return 0 }
    return children[0].height + 1
  }
}

/// An entry of a node: bytes that can be cut.
protocol TreeEntry {
  var byteCount: Int { get }

  /// Returns the part of the bytes in `range`, which is not empty.
  func trimmed(to range: Range<Int>) -> Self
}

extension Piece: TreeEntry {}
extension RegionTree: TreeEntry {}

extension ContiguousArray where Element: TreeEntry {
  var totalByteCount: Int {
    indices.reduce(0) { $0 + self[$1].byteCount }
  }
}
