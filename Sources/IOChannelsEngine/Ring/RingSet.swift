import QueueRuntime
import Synchronization
internal import IOChannelsLocks
import IOChannelsSystem

/// The rings of an engine, each created at its first request.
///
/// A request belongs to the ring of its device, whose limits are kept there, or of its descriptor.
/// If a ring cannot be created the threads carry out its requests.
final class RingSet: Backend {
  /// The slot of a ring, which may be empty.
  private final class RingSlot: Sendable {
    /// The ring, or the final decision that there is none; set once.
    let outcome = SetOnceReference<Outcome>()
  }

  private final class Outcome: Sendable {
    let ring: RingBackend?

    init(_ ring: RingBackend?) {
      self.ring = ring
    }

    /// Passes a request to the ring, or to the threads where there is none.
    func submit(_ request: Request, orTo threads: ThreadBackend) {
      if let ring { ring.submit(request) } else { threads.submit(request) }
    }
  }

  private let slots: [RingSlot]
  private let threads: ThreadBackend
  private let statistics: Statistics
  /// Locked during a creation.
  private let creation = BargingLock(())

  init(count: Int, threads: ThreadBackend, statistics: Statistics) {
    slots = (0..<count).map { _ in RingSlot() }
    self.threads = threads
    self.statistics = statistics
  }

  deinit {
    for ring in rings { ring.stop() }
  }

  /// Returns the number of rings for a number of processors: one for eight of them, from 1 to 8.
  static func count(processors: Int) -> Int {
    min(max(processors / 8, 1), 8)
  }

  /// The limit of the kernel's worker threads for each ring.
  ///
  /// One device uses three quarters of them at most, and usually one. The kernel starts another
  /// worker only while all existing ones are blocked.
  static let workerLimit = 128

  /// Returns the index of a device's ring, the same for all requests of the device.
  static func index(device: UInt64, count: Int) -> Int {
    // Numbers of devices and descriptors are close together, but their products are not.
    Int(truncatingIfNeeded: (device &* 0x9e37_79b9_7f4a_7c15) >> 33) % count
  }

  func submit(_ request: Request) {
    let slot = slot(of: request)
    (slot.outcome.load() ?? make(slot)).submit(request, orTo: threads)
  }

  func cancel(_ request: Request) {
    // The flag is set in any case, because the request may not have reached a ring yet.
    request.isCancelled.store(true, ordering: .releasing)
    guard let outcome = slot(of: request).outcome.load() else { return }
    backend(outcome).cancel(request)
  }

  /// Returns the requests, of which those count as stuck that the kernel has had since `start` or
  /// longer.
  func report(stuckBefore start: Int64) -> RequestReport {
    var report = RequestReport()
    let inquiries = rings.map { $0.inquire(stuckBefore: start) }
    let deadline = Deadline.now() + .seconds(1)
    for inquiry in inquiries {
      if let found = inquiry.wait(until: deadline) {
        report.add(found)
      } else {
        report.isRingSilent = true
      }
    }
    return report
  }

  /// The number of existing rings.
  var ringCount: Int { rings.count }

  private var rings: [RingBackend] { slots.compactMap { $0.outcome.load()?.ring } }

  private func slot(of request: Request) -> RingSlot {
    slots[Self.index(device: request.device, count: slots.count)]
  }

  private func backend(_ outcome: Outcome) -> any Backend {
    if let ring = outcome.ring { ring } else { threads }
  }

  private func make(_ slot: RingSlot) -> Outcome {
    creation.withLock { _ in
      if let outcome = slot.outcome.load() { return outcome }
      let ring = try? RingBackend(threads: threads, statistics: statistics)
      return slot.outcome.storeIfNil(Outcome(ring))
    }
  }
}
