import IOChannelsTestSupport

/// A kind of file system that copies are made on.
enum CopyBase: String, CaseIterable, Sendable {
  /// Where temporary files stand.
  case disk
  /// In memory.
  case memory
  case xfs
  case btrfs

  /// Those that this tier looks at.
  static var inTier: [CopyBase] { Tier.current == .full ? allCases : [.disk, .memory] }

  /// Gives the directory to a test, nil for the usual one.
  func use(_ test: (String?) throws -> Void) throws {
    switch self {
    case .disk: try test(nil)
    case .memory: try test("/dev/shm")
    case .xfs:
      try Need.xfs.orSkip()
      let image = try LoopImage(.xfs, megabytes: 320)
      try test(image.path)
    case .btrfs:
      try Need.btrfs.orSkip()
      let image = try LoopImage(.btrfs, megabytes: 200)
      try test(image.path)
    }
  }
}
