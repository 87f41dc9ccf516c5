import IOChannelsSystem

/// The ways in which a new file appears complete, from the best to the last one.
enum AppearanceWay: Int {
  /// An unnamed file gets its name.
  case linked
  /// A file with a hidden name is renamed.
  case renamed
  /// The file has its name from the start, as with cp.
  case inPlace
}

/// The operations that the file systems of a destination refuse, so that each is asked once.
struct PlaceSupport {
  /// The answers of one file system; `nil` until it was asked.
  struct Answers {
    /// Whether unnamed files can be created and linked.
    var links: Bool?
    /// Whether files can be renamed, or the error of trying.
    var renaming: Result<Void, SystemError>?
    /// Whether the mode of a file can be set after its creation.
    var setsModes: Bool?
    /// The permission bits that were set and came to be.
    var modes: Set<UInt32> = []
  }

  /// The most file systems that are remembered; beyond it each file asks again.
  static let placeLimit = 64

  private var known: [UInt64: Answers] = [:]

  /// The answers of a file system so far.
  subscript(device: UInt64) -> Answers {
    get { known[device] ?? Answers() }
    set {
      if known[device] != nil || known.count < PlaceSupport.placeLimit { known[device] = newValue }
    }
  }
}

extension SystemError {
  /// Whether a file system or a security module refuses an operation as such, so that another way
  /// to the same end is worth trying.
  var isRefusal: Bool {
    switch self {
    case .notPermitted, .permissionDenied, .noFunction, .notSupported, .improperLink,
      .invalidArgument, .tooManyLinks, .inappropriateIOCTLForDevice:
      true
    default: false
    }
  }

  /// Whether a failed step towards a file that appears complete leaves another way worth trying:
  /// every failure but a taken name, a lack of space, memory or descriptors, and a failed device.
  ///
  /// The last way creates the file in place, as cp does, and reports the error that cp reports.
  var allowsAnotherWay: Bool {
    switch self {
    case .fileExists, .noSpace, .quotaExceeded, .ioError, .noMemory, .tooManyOpenFiles,
      .tooManyOpenFilesInSystem:
      false
    default: true
    }
  }
}
