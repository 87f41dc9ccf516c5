import SystemCalls

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

  /// A file up to this length is read and written in one piece.
  static let oneShotLimit = 64 << 10
  /// Up to this length a hole costs less than looking for it.
  static let denseLimit: Int64 = 4096

  init(_ facts: Facts) {
    let source = facts.source
    let isSmall = source.size <= Int64(CopyPlan.oneShotLimit)
    appearance = facts.isOverwriting ? .overwriting : isSmall ? .inPlace : .atOnce
    guard source.kind == .regular else {
      appearance = facts.isOverwriting ? .overwriting : .inPlace
      methods = [.stream]
      return
    }
    methods = []
    if facts.mayClone && !isSmall { methods.append(.clone) }
    if source.isSparse && source.size > CopyPlan.denseLimit { methods.append(.sparse) }
    if isSmall {
      methods.append(.oneShot)
    } else if source.identity.device == facts.destinationDevice {
      methods += [.kernel, .stream]
    } else {
      methods.append(.channel)
    }
  }
}
