import CIOChannelsTestSupport
import IOChannels
import QueueRuntime
import IOChannelsEngine
package import IOChannelsSystem

/// What runs on one thread share, because it costs more than a run: open files and queues.
///
/// The real files have a length and a position, which channels ask for, but no bytes.
package final class Surroundings {
  /// An open file with the numbers that channels know it by.
  struct OpenFile {
    let isPollable: Bool
    let isAppending: Bool
    let numbers: [Int32]

    var descriptor: BorrowedDescriptor { BorrowedDescriptor(rawValue: numbers[0]) }
  }

  /// Tells the queues apart by their places.
  static let place = QueueKey<Int>()

  /// How many channels can have an open file at a time.
  private static let numbersPerFile = 3

  private(set) var files: [OpenFile] = []
  /// By which each file can be opened once more.
  private(set) var paths: [BytePath] = []
  let jobs = JobList()
  let pool: WorkerPool
  let refusal: MemoryRefusal
  let buffers: BufferPool
  /// Where handlers run.
  let queues: [WorkQueue]
  /// Where barriers run.
  let globalQueue: WorkQueue

  /// Opens the files.
  ///
  /// - Throws: What the system says when there are too many.
  package init() throws(SystemError) {
    pool = WorkerPool(name: "simulated") { [jobs] in jobs.add($0) }
    let refusal = MemoryRefusal()
    self.refusal = refusal
    buffers = BufferPool(cachedBytesLimit: 4 << 20) { refusal.decide() }
    globalQueue = WorkQueue(label: "global", attributes: .concurrent, pool: pool)
    queues = [
      WorkQueue(label: "first", pool: pool),
      WorkQueue(label: "second", pool: pool),
      WorkQueue(label: "third", attributes: .concurrent, pool: pool),
    ]
    for (place, queue) in queues.enumerated() {
      queue.setSpecific(key: Self.place, value: place)
    }
    for length in [24 << 10, 64 << 10] {
      let file = OwnedDescriptor(owning: ct_memory_file())
      try file.borrowed.setStatusFlags([])
      try file.borrowed.setSize(Int64(length))
      try add(file.borrowed)
    }
    // On another device where there is one.
    let other = try BorrowedDescriptor.workingDirectory.open(
      "/tmp",
      [.unnamed, .readWrite],
      permissions: 0o600
    )
    try other.borrowed.setSize(40 << 10)
    try add(other.borrowed)
    let appending = OwnedDescriptor(owning: ct_memory_file())
    try add(appending.borrowed, isAppending: true)
    for _ in 0..<2 {
      let ends = ct_pipe()
      let reading = OwnedDescriptor(owning: ends.reading)
      try add(reading.borrowed, isPollable: true)
      _ = OwnedDescriptor(owning: ends.writing)
    }
  }

  private func add(
    _ file: BorrowedDescriptor,
    isPollable: Bool = false,
    isAppending: Bool = false
  ) throws(SystemError) {
    var numbers: [Int32] = []
    for _ in 0..<Self.numbersPerFile { numbers.append(try file.duplicate().release()) }
    paths.append(BytePath("/proc/self/fd/\(numbers[0])"))
    files.append(OpenFile(isPollable: isPollable, isAppending: isAppending, numbers: numbers))
  }

  deinit {
    for number in files.flatMap(\.numbers) { _ = OwnedDescriptor(owning: number) }
  }
}

/// Decides when no memory is lent.
///
/// `@unchecked Sendable` because a pool may be asked from anywhere; here it is asked from the one
/// thread of the run.
final class MemoryRefusal: @unchecked Sendable {
  var decide: () -> Bool = { false }
}

/// The jobs of a pool that the driver runs, in the order that it chooses.
///
/// `@unchecked Sendable` because a pool's jobs may come from anywhere; here they come from the one
/// thread of the run.
final class JobList: @unchecked Sendable {
  private var jobs: [any PoolJob] = []

  var isEmpty: Bool { jobs.isEmpty }

  func add(_ job: any PoolJob) {
    jobs.append(job)
  }

  func runOne(_ random: StepGenerator) {
    guard !jobs.isEmpty else { return }
    jobs.remove(at: random.number(below: jobs.count)).run()
  }
}
