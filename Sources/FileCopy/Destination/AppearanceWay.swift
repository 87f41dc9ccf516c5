import IOChannelsSystem

/// The ways in which a copy appears, from the best to the last one.
enum AppearanceWay: Comparable {
  /// The file has its name from the start if a clone completes it at once. Otherwise an unnamed
  /// file is linked.
  case cloned
  /// An unnamed file is linked.
  case linked
  /// A file with a hidden name is renamed.
  case renamed
  /// The file has its name from the start, as with cp.
  case inPlace
  /// An existing file is emptied when it is opened, as with cp.
  case emptied
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
