/// An immutable sequence of bytes in one or more regions of memory.
///
/// ```swift
/// let header = DataBuffer("length: 5\n\n".utf8)
/// let body = DataBuffer("hello".utf8)
///
/// // The sum refers to the memory of both buffers, in two regions.
/// let message = header + body
/// print(message.count, "bytes in", message.regions.count, "regions")
/// ```
///
/// A buffer is a value: slices and concatenations share memory, and the bytes of a buffer never
/// change. The memory of a region is freed when the last buffer that refers to a byte of it is
/// released.
///
/// Offsets count bytes from the start of the buffer, also in a part that was cut out.
public struct DataBuffer: Sendable {
  /// The cheapest form for the number of regions; a tree has at least two.
  enum Storage: Sendable {
    case empty
    case region(Piece)
    case tree(RegionTree)
  }

  var storage: Storage

  init(_ storage: Storage) {
    self.storage = storage
  }

  init(_ tree: RegionTree) {
    if case .leaf(let pieces) = tree.content, pieces.count == 1 {
      storage = .region(pieces[0])
    } else {
      storage = .tree(tree)
    }
  }

  /// Creates an empty buffer.
  public init() {
    storage = .empty
  }

  /// An empty buffer.
  public static var empty: DataBuffer { DataBuffer() }

  /// The number of bytes.
  ///
  /// - Complexity: O(1)
  public var count: Int {
    switch storage {
    case .empty: 0
    case .region(let piece): piece.byteCount
    case .tree(let tree): tree.byteCount
    }
  }

  /// A Boolean value that indicates whether the buffer has no bytes.
  public var isEmpty: Bool {
    if case .empty = storage { true } else { false }
  }

  /// Stops the program when a range does not lie inside the buffer.
  func requireInside(_ range: Range<Int>) {
    requireUse(
      range.lowerBound >= 0 && range.upperBound <= count,
      "The range lies inside the buffer.",
      "S50"
    )
  }

  /// Calls `body` with each run of bytes inside `range` and its offset, in order, until `body` sets
  /// its last parameter.
  func walk<Failure>(
    _ range: Range<Int>,
    _ body: (RawSpan, Int, inout Bool) throws(Failure) -> Void
  ) throws(Failure) {
    requireInside(range)
    if range.isEmpty { return }
    var stop = false
    switch storage {
    case .empty: break
    case .region(let piece): try body(piece.bytes.extracting(range), range.lowerBound, &stop)
    case .tree(let tree): try tree.walk(range, at: 0, &stop, body)
    }
  }

  /// Calls `body` with the runs of bytes that `walk(_:_:)` shows, from the last to the first.
  func walkBackwards(_ range: Range<Int>, _ body: (RawSpan, Int, inout Bool) -> Void) {
    requireInside(range)
    if range.isEmpty { return }
    var stop = false
    switch storage {
    case .empty: break
    case .region(let piece): body(piece.bytes.extracting(range), range.lowerBound, &stop)
    case .tree(let tree): tree.walkBackwards(range, at: 0, &stop, body)
    }
  }
}

extension DataBuffer: ExpressibleByArrayLiteral {
  /// Creates a buffer of one region from the bytes of a literal.
  public init(arrayLiteral bytes: UInt8...) {
    self.init(bytes)
  }
}
