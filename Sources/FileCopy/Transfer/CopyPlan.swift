import IOChannelsSystem

/// How one regular file is copied, decided from facts alone.
struct CopyPlan: Equatable {
  /// What is known of the file and the two places.
  struct Facts {
    var source: FileStatus
    /// The file system that the copy goes to.
    var destinationDevice: UInt64
    /// Whether a file that keeps its identity is overwritten.
    var isOverwriting: Bool
    /// Whether sharing blocks between the two file systems is worth trying.
    var mayClone: Bool
    /// Whether the kernel may know a better way than reading and writing.
    var copiesInKernel = false
    /// Whether blocks are to be shared at all.
    var clones = CloneRule.automatic
    /// What becomes of zeros.
    var holes = HoleRule.automatic
    /// Whether what is written to may have holes: a FIFO or device has none, and gets its bytes in
    /// order.
    var hasHoles = true
    /// Whether every file is to appear whole.
    var isAtomic = false
    /// Whether the page cache is to be passed.
    var isDirect = false
  }

  /// How the copy becomes visible.
  enum Appearance: Equatable {
    /// Under its name from the start, closed to others until it is complete.
    case inPlace
    /// Under its name at once when it is complete.
    case atOnce
    /// The file that has the name keeps its identity.
    case overwriting
  }

  /// The ways to try, the first that works is taken; the last one always works.
  var methods: [CopyMethod]
  var appearance: Appearance
  /// Whether the kernel is asked to copy, also what lies between holes.
  var copiesInKernel: Bool

  /// A file up to this length is read and written in one piece.
  static let oneShotLimit = 64 << 10
  /// Up to this length a hole costs less than looking for it.
  static let denseLimit: Int64 = 4096

  init(_ facts: Facts) {
    let source = facts.source
    let isSmall = source.size <= Int64(CopyPlan.oneShotLimit)
    appearance =
      facts.isOverwriting ? .overwriting : isSmall && !facts.isAtomic ? .inPlace : .atOnce
    methods = []
    // Who asks for holes or for none gets blocks that are the copy's own, and a server could share
    // them.
    let isFree = facts.clones == .automatic && facts.holes == .automatic
    let isWithin = source.identity.device == facts.destinationDevice
    copiesInKernel = isFree && isWithin && facts.copiesInKernel && facts.hasHoles
    let findsZeros = facts.holes == .always && facts.hasHoles
    if source.kind != .regular && appearance == .atOnce && !facts.isAtomic {
      appearance = .inPlace
    }
    if facts.clones == .always {
      methods = [.clone]
      return
    }
    guard source.kind == .regular else {
      methods = findsZeros ? [.nonZero] : [.stream]
      return
    }
    if findsZeros {
      methods = [.nonZero]
      return
    }
    guard facts.hasHoles else {
      methods = isSmall ? [.oneShot] : [.stream]
      return
    }
    if isFree && facts.mayClone { methods.append(.clone) }
    if facts.holes == .automatic && source.isSparse && source.size > CopyPlan.denseLimit {
      methods.append(.sparse)
    }
    if facts.isDirect && !isSmall && !source.isSparse { methods.append(.direct) }
    if isSmall {
      methods.append(.oneShot)
    } else if isWithin {
      if copiesInKernel { methods.append(.kernel) }
      methods.append(.stream)
    } else {
      methods.append(.channel)
    }
  }
}
