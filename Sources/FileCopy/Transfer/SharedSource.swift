import DataRegions
import IOChannelsEngine
internal import IOChannelsLocks
import IOChannelsSystem
import Synchronization

/// The state that the runs of one copy share if it has several destinations.
///
/// The runs share the bytes that they read, and each knows the destinations of the others.
final class SharedSource: Sendable {
  /// The existing files that the runs overwrite. Two destinations may have links to one file.
  let overwritten = OverwrittenFiles()
  /// The sources that are dropped from the page cache.
  let cached = CachedSources()
  /// The devices whose lack of space was reported.
  private let fullDevices = BargingLock<Set<UInt64?>>([])
  private let pieces: BargingLock<SharedPieces>
  /// A counter that each end of an awaited read increments, so that no wake is lost.
  private let wakes = Atomic<UInt32>(0)
  private let tops = BargingLock<Set<FileIdentity>>([])
  private let opened = BargingLock<[DestinationViews.Candidate]>([])

  init(destinations: Int) {
    pieces = BargingLock(SharedPieces(destinations: destinations))
  }

  /// Returns a reader of an open source; nil if its bytes cannot be shared.
  ///
  /// The bytes of a pipe or device, and those of a file without a length, have no fixed position. A
  /// file that was written to a moment ago may get other bytes and keep its times.
  func reader(of source: BorrowedDescriptor, _ status: FileStatus) -> SharedReader? {
    guard status.kind == .regular, status.size > 0 else { return nil }
    // The file may have been opened long ago. Each write after this time must show.
    let now = KernelClock.wall.nanoseconds
    guard let current = try? source.status(),
      SharedPieces.showsWrites(
        to: current,
        after: now,
        isLocal: FileSystemKind(of: source).keepsTimes
      )
    else { return nil }
    return SharedReader(self, SharedPieces.File(current))
  }

  /// Records that a device has too little space.
  ///
  /// - Returns: Whether no other destination has recorded it before.
  func isFirstLack(on device: UInt64?) -> Bool {
    fullDevices.withLock { $0.insert(device).inserted }
  }

  /// Records that a run has ended.
  func endDestination() { pieces.withLock { $0.endDestination() } }

  /// Records the topmost directory of an operand at one of the destinations.
  func addTop(_ identity: FileIdentity) {
    tops.withLock { _ = $0.insert(identity) }
  }

  /// Records the topmost directory of an operand at one of the destinations, which is open.
  func addTop(_ top: DestinationViews.Candidate) {
    addTop(top.directory.destination.identity)
    opened.withLock { $0.append(top) }
  }

  /// The topmost directories of the operands at all destinations that were opened so far.
  var openTops: [DestinationViews.Candidate] { opened.withLock { $0 } }

  /// Whether a directory of the source is the topmost directory of an operand at a destination.
  func isTop(_ identity: FileIdentity) -> Bool { tops.withLock { $0.contains(identity) } }

  // Called by readers.

  fileprivate func open(_ file: SharedPieces.File) { pieces.withLock { $0.open(file) } }

  fileprivate func close(_ file: SharedPieces.File) { pieces.withLock { $0.close(file) } }

  /// Returns the step of a destination that does not wait.
  fileprivate func next(_ file: SharedPieces.File, at position: Int64) -> SharedPieces.Step {
    while true {
      let seen = wakes.load(ordering: .acquiring)
      let step = pieces.withLock { $0.next(file, at: position) }
      guard case .wait = step else { return step }
      wakes.park(while: seen)
    }
  }

  fileprivate func finish(_ file: SharedPieces.File, at position: Int64, _ data: DataBuffer?) {
    guard pieces.withLock({ $0.finish(file, at: position, data) }) else { return }
    wakes.wrappingAdd(1, ordering: .releasing)
    wakes.unpark(.max)
  }
}

/// The reads of one open source by one destination of several. One thread uses it.
final class SharedReader {
  private let source: SharedSource
  private let file: SharedPieces.File
  /// The position at which this destination reads for all.
  private var claim: Int64?
  /// Whether the source has no positions, so that each destination reads it from its start.
  var isStream = false

  fileprivate init(_ source: SharedSource, _ file: SharedPieces.File) {
    self.source = source
    self.file = file
    source.open(file)
  }

  deinit {
    source.close(file)
  }

  /// Returns the bytes that another destination has read at a position, and waits for them if it is
  /// reading them now.
  ///
  /// - Returns: Nil if the caller must read them, and then call ``note(_:)`` or ``noteFailure()``.
  func bytes(at position: Int64) -> DataBuffer? {
    if isStream { return nil }
    switch source.next(file, at: position) {
    case .take(let data): return data
    case .read: claim = position
    case .wait, .readAlone: break
    }
    return nil
  }

  /// Leaves bytes that this destination has read to the others.
  func note(_ bytes: RawSpan) {
    guard let position = claim.take() else { return }
    source.finish(file, at: position, DataBuffer(bytes: bytes))
  }

  /// Records that a read has failed, so that each destination reads by itself.
  func noteFailure() {
    guard let position = claim.take() else { return }
    source.finish(file, at: position, nil)
  }
}
