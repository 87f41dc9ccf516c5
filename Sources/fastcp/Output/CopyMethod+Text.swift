import FileCopy

extension CopyCheck {
  /// The description of the check.
  var words: String {
    switch self {
    case .disk: "verified"
    case .cached: "verified in the page cache only"
    case .shared: "verified by comparing block addresses"
    }
  }
}

extension CopyMethod {
  /// The description of the method.
  var words: String {
    switch self {
    case .clone: "cloned"
    case .kernel: "copied by the kernel"
    case .oneShot: "copied with one read and one write"
    case .stream: "copied through a buffer"
    case .direct: "copied with direct I/O"
    case .sparse: "copied without reading holes"
    case .nonZero: "copied with holes for zeros"
    case .compared: "found with the same contents"
    case .attributes: "created without contents"
    }
  }

  /// Returns the line that cp prints about a file that it copies in the same way; nil without
  /// contents.
  ///
  /// As with cp, `avoided` means that an option excludes `copy_file_range`, and `yes` that it
  /// copied. Otherwise `no` states that it was not used, which is a choice of the copier.
  func line(avoidsOffload: Bool) -> String? {
    let offload = avoidsOffload ? "avoided" : "no"
    return switch self {
    case .clone: "copy offload: unknown, reflink: yes, sparse detection: unknown"
    case .kernel: "copy offload: yes, reflink: no, sparse detection: no"
    case .oneShot, .stream, .direct: "copy offload: \(offload), reflink: no, sparse detection: no"
    case .sparse: "copy offload: \(offload), reflink: no, sparse detection: SEEK_HOLE"
    case .nonZero: "copy offload: \(offload), reflink: no, sparse detection: zeros"
    case .compared, .attributes: nil
    }
  }
}

extension CopyOptions {
  /// Whether cp would use no `copy_file_range` because of these options.
  var avoidsOffload: Bool { contents.clones == .never || contents.holes != .automatic }
}
