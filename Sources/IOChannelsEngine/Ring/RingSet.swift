import QueueRuntime
import Synchronization
import IOChannelsSystem

/// The rings of an engine, each made with the first request that belongs to it.
///
/// A request belongs to the ring of its device, whose limit is kept there, or of its descriptor.
/// Where a ring cannot be made the threads do its work.
final class RingSet: EndingBackend {
  /// What has become of a place for a ring.
  private final class Place: Sendable {
    /// Set once: a ring, or none for good.
    let outcome = AtomicLazyReference<Outcome>()
  }

  private final class Outcome: Sendable {
    let ring: RingBackend?

    init(_ ring: RingBackend?) {
      self.ring = ring
    }
  }

  private let places: [Place]
  private let threads: ThreadBackend
  private let statistics: Statistics
  /// Whether no ring is made any more; held while one is made.
  private let isStopped = BargingLock(false)

  init(count: Int, threads: ThreadBackend, statistics: Statistics) {
    places = (0..<count).map { _ in Place() }
    self.threads = threads
    self.statistics = statistics
  }

  /// How many rings so many processors keep busy: one for eight of them, at least 1 and at most 8.
  static func count(processors: Int) -> Int {
    min(max(processors / 8, 1), 8)
  }

  /// The bound for the kernel's worker threads of each ring, of which one device keeps three
  /// quarters busy at most, and mostly one.
  ///
  /// The kernel starts a further one only while those that there are wait.
  static let workerLimit = 128

  /// The ring that a request belongs to; the same for all requests of a device.
  static func index(device: UInt64, count: Int) -> Int {
    // Numbers of devices and descriptors are close to each other; their product is not.
    Int(truncatingIfNeeded: (device &* 0x9e37_79b9_7f4a_7c15) >> 33) % count
  }

  func submit(_ request: Request) {
    let place = place(of: request)
    backend(place.outcome.load() ?? make(place)).submit(request)
  }

  func cancel(_ request: Request) {
    // Set in any case: the request may be on its way.
    request.isCancelled.store(true, ordering: .releasing)
    guard let outcome = place(of: request).outcome.load() else { return }
    backend(outcome).cancel(request)
  }

  func stop() {
    isStopped.withLock { $0 = true }
    for ring in rings { ring.stop() }
  }

  func settle(until deadline: Deadline) -> Int {
    rings.reduce(0) { $0 + $1.settle(until: deadline) }
  }

  /// What the kernel has had since `start` or longer.
  func stuck(before start: Int64) -> StuckRequests {
    var found = StuckRequests()
    for ring in rings {
      if let entries = ring.stuck(before: start) {
        found.entries += entries
      } else {
        found.isRingSilent = true
      }
    }
    return found
  }

  /// The number of rings that were made.
  var ringCount: Int { rings.count }

  private var rings: [RingBackend] { places.compactMap { $0.outcome.load()?.ring } }

  private func place(of request: Request) -> Place {
    places[Self.index(device: request.device, count: places.count)]
  }

  private func backend(_ outcome: Outcome) -> any Backend {
    if let ring = outcome.ring { ring } else { threads }
  }

  private func make(_ place: Place) -> Outcome {
    isStopped.withLock { isStopped in
      if let outcome = place.outcome.load() { return outcome }
      let ring = isStopped ? nil : try? RingBackend(threads: threads, statistics: statistics)
      return place.outcome.storeIfNil(Outcome(ring))
    }
  }
}
