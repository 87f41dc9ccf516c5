internal import IOChannelsLocks
import IOChannelsSystem
import Synchronization

/// The file systems of a source and a destination.
///
/// Each pair of directories has one, so that a file costs no look-up.
final class FileSystemPair: Sendable {
  /// The knowledge whether the two share blocks.
  enum Clones: UInt8 {
    case unknown
    case shared
    case refused
  }

  let source: KnownFileSystem
  let destination: KnownFileSystem
  private let knownClones = Atomic<UInt8>(Clones.unknown.rawValue)

  init(source: KnownFileSystem, destination: KnownFileSystem) {
    self.source = source
    self.destination = destination
  }

  var clones: Clones { Clones(rawValue: knownClones.load(ordering: .relaxed)) ?? .unknown }

  /// Records that the pair shared blocks, or is able to. An earlier refusal stays.
  func noteClone() {
    _ = knownClones.compareExchange(
      expected: Clones.unknown.rawValue,
      desired: Clones.shared.rawValue,
      ordering: .relaxed
    )
  }

  /// Records a failed clone, and the consequence of its error for the pair.
  ///
  /// - Returns: Whether the file is to be copied in another way. Otherwise the error is reported.
  func noteFailedClone(_ error: SystemError) -> Bool {
    switch error {
    case .notSupported, .inappropriateIOCTLForDevice, .improperLink, .noFunction:
      knownClones.store(Clones.refused.rawValue, ordering: .relaxed)
      return true
    case .ioError, .noMemory, .noSpace, .quotaExceeded: return false
    default:
      // The error concerns this file only. The kernel examined the file, so the pair is supported.
      noteClone()
      return true
    }
  }
}

/// The file systems of a copy.
///
/// They are few, and the first use of a dictionary takes longer than the copy of a small file.
final class KnownFileSystems: Sendable {
  private struct Lists {
    var systems: [KnownFileSystem] = []
    var pairs: [FileSystemPair] = []

    mutating func system(_ device: UInt64) -> KnownFileSystem {
      if let known = systems.first(where: { $0.device == device }) { return known }
      let system = KnownFileSystem(device: device)
      if systems.count < 2 * KnownFileSystems.limit { systems.append(system) }
      return system
    }
  }

  /// The maximum number of pairs. Beyond it, each directory or file tries each operation again.
  static let limit = 64

  private let lists = BargingLock(Lists())

  /// Returns the file system of a device.
  func system(_ device: UInt64) -> KnownFileSystem { lists.withLock { $0.system(device) } }

  /// Returns a pair of file systems.
  func pair(_ source: UInt64, _ destination: UInt64) -> FileSystemPair {
    lists.withLock { lists in
      let known = lists.pairs.first {
        $0.source.device == source && $0.destination.device == destination
      }
      if let known { return known }
      let pair = FileSystemPair(
        source: lists.system(source),
        destination: lists.system(destination)
      )
      if lists.pairs.count < KnownFileSystems.limit { lists.pairs.append(pair) }
      return pair
    }
  }
}
