import QueueRuntime
import Synchronization
import SystemCalls

/// A large file that is read and written by the thread that copies it and by another one that has
/// nothing to do, the one beside the other.
final class SharedCopy: Sendable {
  /// Bytes on their way. The lock is free: the relay gives a piece to one thread at a time.
  private final class Piece: Sendable {
    let bytes = Mutex([UInt8](repeating: 0, count: SharedCopy.pieceLength))
  }

  private let source: BorrowedDescriptor
  private let destination: BorrowedDescriptor
  private let status: FileStatus
  private let monitor: CopyMonitor
  private let relay: BargingLock<PieceRelay<Piece>>
  /// Changes with every step that is done, so that none is missed between looking and sleeping.
  private let steps = Atomic<UInt32>(0)

  /// From this length on it is worth waking a thread.
  private static let leastSize: Int64 = 4 << 20
  private static let pieceCount = 4
  /// Stays in a processor's cache between reading and writing.
  private static let pieceLength = 256 << 10

  /// Whether a file is large enough, and nothing has to see its bytes go by one after the other.
  static func mayShare(_ ends: CopyEnds) -> Bool {
    ends.status.kind == .regular && ends.status.size >= leastSize && ends.sum == nil
      && ends.dropper == nil
  }

  /// Prepares the copy of a file whose positions are at the start on both sides.
  init(_ ends: CopyEnds) {
    source = ends.source
    destination = ends.destination
    status = ends.status
    monitor = ends.monitor
    relay = BargingLock(PieceRelay((0..<SharedCopy.pieceCount).map { _ in Piece() }))
  }

  /// Copies to the end; who helps calls ``help()`` meanwhile, and touches no file afterwards.
  func finish() throws(DataFailure) -> Int64 {
    work()
    let (count, failure) = relay.withLock { ($0.count, $0.failure) }
    if let failure { throw failure }
    return count
  }

  /// Does part of the work until there is none, at once if the copy has ended.
  func help() { work() }

  private func work() {
    while true {
      let seen = steps.load(ordering: .acquiring)
      switch relay.withLock({ $0.next() }) {
      case .read(let piece): read(piece)
      case .write(let piece, let count): write(piece, count)
      case .park: steps.park(while: seen)
      case .leave: return
      }
    }
  }

  private func read(_ piece: Piece) {
    do throws(DataFailure) {
      try ends.mayGoOn()
      let count = try piece.bytes.withLock { bytes throws(DataFailure) in
        try ends.read(into: &bytes)
      }
      done { count == 0 ? $0.end(.reading) : $0.hasRead(piece, count: count) }
    } catch {
      done { $0.end(.reading, error) }
    }
  }

  private func write(_ piece: Piece, _ count: Int) {
    do throws(DataFailure) {
      try ends.mayGoOn()
      try piece.bytes.withLock { bytes throws(DataFailure) in
        try ends.write(bytes, count: count)
      }
      monitor.count(bytes: Int64(count))
      done { $0.hasWritten(piece, count: count) }
    } catch {
      done { $0.end(.writing, error) }
    }
  }

  private var ends: CopyEnds {
    CopyEnds(source: source, destination: destination, status: status, monitor: monitor)
  }

  private func done(_ note: (inout PieceRelay<Piece>) -> Void) {
    relay.withLock { note(&$0) }
    steps.wrappingAdd(1, ordering: .releasing)
    steps.unpark(1)
  }
}
