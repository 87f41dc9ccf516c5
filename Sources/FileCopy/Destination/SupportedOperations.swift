internal import IOChannelsLocks
import IOChannelsSystem

/// The ways in which a copy appears, from the best to the last one.
enum AppearanceWay: Comparable {
  /// An unnamed file is linked.
  case linked
  /// A file with a hidden name is renamed.
  case renamed
  /// The file has its name from the start, as with cp.
  case inPlace
  /// An existing file is emptied when it is opened, as with cp.
  case emptied
}

/// The operations that the file systems of a destination support, so that each is tried once.
final class SupportedOperations: Sendable {
  /// The answers of one file system, nil until an operation was tried.
  struct Answers {
    /// Whether unnamed files can be created and linked.
    var links: Bool?
    /// Whether files can be renamed, or the error of the attempt.
    var renaming: Result<Void, SystemError>?
    /// Whether the mode of a file can be changed after its creation.
    var setsModes: Bool?
    /// The permission bits that were set with success.
    var modes: Set<UInt32> = []
  }

  /// The maximum number of file systems. Beyond it each file tries again.
  private static let limit = 64

  private let known = BargingLock<[UInt64: Answers]>([:])

  /// The answers of a file system so far.
  subscript(device: UInt64) -> Answers { known.withLock { $0[device] ?? Answers() } }

  /// Changes the answers of a file system.
  func update(_ device: UInt64, _ change: (inout Answers) -> Void) {
    known.withLock { known in
      guard known[device] != nil || known.count < SupportedOperations.limit else { return }
      change(&known[device, default: Answers()])
    }
  }
}

extension SystemError {
  /// Whether a file system or a security module refuses an operation as such, so that another way
  /// to the same result is worth trying.
  var isRefusal: Bool {
    switch self {
    case .notPermitted, .permissionDenied, .noFunction, .notSupported, .improperLink,
      .invalidArgument, .tooManyLinks, .inappropriateIOCTLForDevice:
      true
    default: false
    }
  }

  /// Whether another way is worth trying after a failed step towards a file that appears complete.
  ///
  /// It is not after an existing name, on a file system that is full or read-only, or at the limit
  /// of descriptors. Servers report any other error for an operation that they do not support. The
  /// last way creates the file in place, as cp does, and reports the error that cp reports.
  var allowsAnotherWay: Bool {
    switch self {
    case .fileExists, .noSpace, .quotaExceeded, .readOnlyFileSystem, .tooManyOpenFiles,
      .tooManyOpenFilesInSystem:
      false
    default: true
    }
  }
}
