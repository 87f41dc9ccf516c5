import IOChannelsSystem

/// The methods that copy one regular file, as a pure function of facts about it.
struct CopyPlan {
  /// The facts about the file, the two file systems and the options.
  struct Facts {
    var source: FileStatus
    /// The file system of the destination.
    var destinationDevice: UInt64
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

  /// The methods in the order in which they are tried.
  ///
  /// The first one that works copies the file. The last one always works.
  var methods: Methods
  var appearance: Appearance
  /// Whether the file has its name from the start only because a clone is complete at once. If the
  /// clone is refused, the file is copied again and appears when it is complete.
  var clonesInPlace = false
  /// Whether the kernel is to copy, including the data between holes.
  var copiesInKernel: Bool

  /// Up to four methods, which need no memory of their own for each file.
  struct Methods: Sequence {
    private var places = InlineArray<4, CopyMethod>(repeating: .stream)
    private var count = 0

    init(_ method: CopyMethod) { append(method) }

    fileprivate init() {}

    fileprivate mutating func append(_ method: CopyMethod) {
      places[count] = method
      count += 1
    }

    var first: CopyMethod { places[0] }

    struct Iterator: IteratorProtocol {
      private let methods: Methods
      private var index = 0

      fileprivate init(_ methods: Methods) { self.methods = methods }

      mutating func next() -> CopyMethod? {
        if index == methods.count { return nil }
        defer { index += 1 }
        return methods.places[index]
      }
    }

    func makeIterator() -> Iterator { Iterator(self) }
  }

  /// The maximum length of a file that is copied with one read and one write.
  static let oneShotLimit = 64 << 10
  /// The length up to which reading a hole is cheaper than finding it.
  static let denseLimit: Int64 = 4096

  init(_ facts: Facts) {
    let source = facts.source
    let isSmall = source.size <= Int64(CopyPlan.oneShotLimit)
    appearance =
      facts.isOverwriting ? .overwriting : isSmall && !facts.isAtomic ? .inPlace : .atOnce
    methods = Methods()
    // An option about holes requires that the copy has its own blocks. A clone shares blocks, and
    // so may a server that copies.
    let mayShareBlocks = facts.clones == .automatic && facts.holes == .automatic
    let isSameFileSystem = source.identity.device == facts.destinationDevice
    copiesInKernel =
      mayShareBlocks && isSameFileSystem && facts.copiesInKernel && facts.hasHoles
      && !facts.isListed
    let findsZeros = facts.holes == .always && facts.hasHoles
    // A clone is complete at once. If it is refused, its directory has changed, as with cp.
    let isWrittenInPlace = source.kind != .regular || facts.clones == .always
    clonesInPlace =
      mayShareBlocks && facts.mayClone && facts.areSharing && facts.holes == .automatic
      && facts.hasHoles && !isWrittenInPlace && appearance == .atOnce && !facts.isAtomic
    if isWrittenInPlace && appearance == .atOnce && !facts.isAtomic || clonesInPlace {
      appearance = .inPlace
    }
    if facts.clones == .always {
      methods = Methods(.clone)
      return
    }
    guard source.kind == .regular else {
      methods = Methods(findsZeros ? .nonZero : .stream)
      return
    }
    if findsZeros {
      methods = Methods(.nonZero)
      return
    }
    guard facts.hasHoles else {
      methods = Methods(isSmall ? .oneShot : .stream)
      return
    }
    if mayShareBlocks && facts.mayClone { methods.append(.clone) }
    if facts.holes == .automatic && source.isSparse && source.size > CopyPlan.denseLimit {
      methods.append(.sparse)
    }
    if facts.isDirect && !isSmall && !source.isSparse && !facts.isListed {
      methods.append(.direct)
    }
    if isSmall {
      methods.append(.oneShot)
    } else {
      if copiesInKernel { methods.append(.kernel) }
      methods.append(.stream)
    }
  }
}
