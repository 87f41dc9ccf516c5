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
final class KnownFileSystems: Sendable {
  private struct Devices: Hashable {
    var source: UInt64
    var destination: UInt64
  }

  private struct Table {
    var systems: [UInt64: KnownFileSystem] = [:]
    var pairs: [Devices: FileSystemPair] = [:]
  }

  /// The maximum number of pairs. Beyond it, each directory tries each operation again.
  static let limit = 1024

  private let table = BargingLock(Table())

  /// Returns the file system of a device.
  func system(_ device: UInt64) -> KnownFileSystem {
    table.withLock { KnownFileSystems.system(device, in: &$0) }
  }

  /// Returns a pair of file systems.
  func pair(_ source: UInt64, _ destination: UInt64) -> FileSystemPair {
    let devices = Devices(source: source, destination: destination)
    return table.withLock { table in
      if let pair = table.pairs[devices] { return pair }
      let pair = FileSystemPair(
        source: KnownFileSystems.system(source, in: &table),
        destination: KnownFileSystems.system(destination, in: &table)
      )
      if table.pairs.count < KnownFileSystems.limit { table.pairs[devices] = pair }
      return pair
    }
  }

  private static func system(_ device: UInt64, in table: inout Table) -> KnownFileSystem {
    if let system = table.systems[device] { return system }
    let system = KnownFileSystem(device: device)
    if table.systems.count < 2 * limit { table.systems[device] = system }
    return system
  }
}
