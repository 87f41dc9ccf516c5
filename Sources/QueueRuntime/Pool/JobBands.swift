internal import IOChannelsLocks

/// A run queue with aging: waiting jobs in bands of urgency, of which band 0 is the most urgent.
///
/// A job of a more urgent band runs first, and inside a band the oldest. A band that was passed
/// over `patience` times in a row is served next, so that a stream of urgent jobs starves no other
/// job.
struct JobBands<Job> {
  /// The number of times that a band is passed over before it is served.
  static var patience: Int { 16 }

  fileprivate struct Band {
    var jobs = FirstInFirstOut<Job>()
    var passedOver = 0
  }

  private var bands: [Band]
  private(set) var count = 0

  init(bands count: Int) {
    precondition(count >= 1, "Jobs wait in a band.")
    bands = Array(repeating: Band(), count: count)
  }

  var isEmpty: Bool { count == 0 }

  /// The most urgent band with a waiting job.
  var mostUrgent: Int? { isEmpty ? nil : bands.firstIndex { !$0.jobs.isEmpty } }

  mutating func append(_ job: Job, to band: Int) {
    bands[band].jobs.append(job)
    count += 1
  }

  mutating func popFirst() -> Job? {
    guard let urgent = bands.firstIndex(where: { !$0.jobs.isEmpty }) else { return nil }
    let served = bands.lastIndex { $0.passedOver >= Self.patience } ?? urgent
    for lower in bands.indices[(served + 1)...] where !bands[lower].jobs.isEmpty {
      bands[lower].passedOver += 1
    }
    bands[served].passedOver = 0
    count -= 1
    return bands[served].jobs.popFirst()
  }
}

extension JobBands: Sendable where Job: Sendable {}
extension JobBands.Band: Sendable where Job: Sendable {}
