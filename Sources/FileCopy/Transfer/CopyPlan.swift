import IOChannelsEngine
import IOChannelsSystem

/// The methods that copy one regular file, as a pure function of facts about it.
struct CopyPlan {
  /// The facts about the file, the two file systems and the options.
  struct Facts {
    var kind: FileKind
    var size: Int64
    var isSparse: Bool
    /// The kind of the file system of the source.
    var sourceSystem = FileSystemKind.other
    /// Whether source and destination are on one file system.
    var isSameFileSystem: Bool
    /// Whether an existing file is overwritten in place.
    var isOverwriting: Bool
    /// Whether an attempt to share blocks between the two file systems is worthwhile.
    var mayClone: Bool
    /// Whether the two file systems have shared the blocks of another file.
    var areSharing = false
    /// Whether a copy in the kernel may be better than reads and writes.
    var copiesInKernel = false
    /// The rule for sharing blocks.
    var clones = CloneRule.automatic
    /// The treatment of holes and zeros.
    var holes = HoleRule.automatic
    /// Whether the destination may have holes.
    ///
    /// A FIFO or device has none, and must receive its bytes in order.
    var hasHoles = true
    /// Whether files are replaced atomically.
    var isAtomic = false
    /// Whether transfers are to bypass the page cache (direct I/O).
    var isDirect = false
    /// Whether a manifest lists the copy, so that all of its bytes pass through the process in
    /// their order.
    var isListed = false

    /// Whether one read and one write probably copy the file.
    var isSmall: Bool { size <= Int64(CopyPlan.oneShotLimit) }

    /// Whether the options allow that source and destination share blocks.
    ///
    /// An option about holes requires that the copy has its own blocks. A clone shares blocks, and
    /// so may a server that copies.
    var mayShareBlocks: Bool { clones == .automatic && holes == .automatic }

    /// Whether a clone, which is complete at once, may be made under the file's name.
    var mayCloneInPlace: Bool {
      mayShareBlocks && mayClone && areSharing && hasHoles && !isAtomic
    }

    init(source: FileStatus, destinationDevice: UInt64, isOverwriting: Bool, mayClone: Bool) {
      kind = source.kind
      size = source.size
      isSparse = source.isSparse
      isSameFileSystem = source.identity.device == destinationDevice
      self.isOverwriting = isOverwriting
      self.mayClone = mayClone
    }
  }

  /// The moment and the way in which the copy becomes visible.
  enum Appearance: Equatable {
    /// The copy has its name from the start. Only its owner has access until it is complete.
    case inPlace
    /// The complete copy receives its name atomically.
    case atOnce
    /// The existing file is overwritten and keeps its identity.
    case overwriting
  }

  /// The methods in the order in which they are tried, up to four.
  ///
  /// The first one that works copies the file. The last one always works.
  private(set) var methods = InlineArray<4, CopyMethod?>(repeating: nil)
  private var methodCount = 0
  var appearance: Appearance
  /// Whether the file has its name from the start only because a clone is complete at once. If the
  /// clone is refused, the file is copied again and appears when it is complete.
  var clonesInPlace = false
  /// The kind of the file system of the source.
  let sourceSystem: FileSystemKind
  /// Whether the kernel is to copy, including the data between holes.
  var copiesInKernel: Bool

  /// The maximum length of a file that is copied with one read and one write, under its name.
  ///
  /// A file of 64 KiB takes 22 µs on ext4, and 25 if it gets its name when it is complete. One of
  /// 128 KiB takes 40 and 41.
  static let oneShotLimit = 64 << 10
  /// The length up to which reading a hole is cheaper than finding it.
  static let denseLimit: Int64 = 4096

  init(_ facts: Facts) {
    sourceSystem = facts.sourceSystem
    appearance =
      facts.isOverwriting ? .overwriting : facts.isSmall && !facts.isAtomic ? .inPlace : .atOnce
    copiesInKernel =
      facts.mayShareBlocks && facts.isSameFileSystem && facts.copiesInKernel && facts.hasHoles
      && !facts.isListed
    // A clone is complete at once. If it is refused, its directory has changed, as with cp.
    let isWrittenInPlace = facts.kind != .regular || facts.clones == .always
    clonesInPlace = facts.mayCloneInPlace && !isWrittenInPlace && appearance == .atOnce
    if isWrittenInPlace && appearance == .atOnce && !facts.isAtomic || clonesInPlace {
      appearance = .inPlace
    }
    addMethods(facts)
  }

  private mutating func addMethods(_ facts: Facts) {
    if facts.clones == .always { return append(.clone) }
    if facts.holes == .always && facts.hasHoles { return append(.nonZero) }
    if facts.kind != .regular { return append(.stream) }
    if !facts.hasHoles { return append(facts.isSmall ? .oneShot : .stream) }
    if facts.mayShareBlocks && facts.mayClone { append(.clone) }
    if facts.holes == .automatic && facts.isSparse && facts.size > CopyPlan.denseLimit {
      append(.sparse)
    }
    if facts.isSmall { return append(.oneShot) }
    if facts.isDirect && !facts.isSparse && !facts.isListed { append(.direct) }
    if copiesInKernel { append(.kernel) }
    append(.stream)
  }

  private mutating func append(_ method: CopyMethod) {
    methods[methodCount] = method
    methodCount += 1
  }
}
