import IOChannelsLocks
import IOChannelsTestSupport

@testable import EventSources

/// A kernel with simulated files, whose reports a test creates by changing them.
final class SimulatedFiles: FileWatchKernel {
  struct File: Sendable {
    var status: FileStatus
    var watch: Int32?
    var notices: FileNotices = []
  }

  struct State: Sendable {
    var files: [UInt64: File] = [:]
    /// The number of the file of each descriptor.
    var descriptors: [Int32: UInt64] = [:]
    var nextWatch: Int32 = 1
    var records: [FileNotification] = []
    var hasOverflowed = false
    var isWaiting = false
    /// The errors of the next calls of `add`.
    var refusals: [SystemError] = []
    var waitRefusal: SystemError?
    var clock: Int64 = 0
  }

  let state = BargingLock(State())
  /// The reports that the queue holds.
  private let capacity: Int
  /// The reports that one read takes.
  private let reportsInRead: Int

  init(capacity: Int = 1 << 20, reportsInRead: Int = 1 << 20) {
    self.capacity = capacity
    self.reportsInRead = reportsInRead
  }

  var hasReports: Bool { state.withLock { !$0.records.isEmpty } }

  var watches: Int { state.withLock { $0.files.values.filter { $0.watch != nil }.count } }
  var isWaiting: Bool { state.withLock { $0.isWaiting } }

  func notices(of number: UInt64) -> FileNotices? {
    state.withLock { state in
      state.files[number].flatMap { $0.watch == nil ? nil : $0.notices }
    }
  }

  /// Creates a file with an open descriptor, or opens one once more.
  func open(_ descriptor: Int32, file: UInt64) {
    let zero = FileTime(seconds: 0, nanoseconds: 0)
    state.withLock { state in
      state.descriptors[descriptor] = file
      if state.files[file] != nil { return }
      state.files[file] = File(
        status: FileStatus(
          identity: FileIdentity(device: 1, inode: file),
          mode: 0o100644,
          accessed: zero,
          modified: zero,
          changed: zero
        )
      )
    }
  }

  /// Changes a file and reports it.
  func change(
    _ number: UInt64,
    _ notice: FileNotices,
    _ body: (inout FileStatus) -> Void = { _ in }
  ) {
    state.withLock { state in
      state.clock += 1
      let time = FileTime(seconds: state.clock, nanoseconds: 0)
      if var file = state.files[number] {
        body(&file.status)
        file.status.changed = time
        if notice == .modified { file.status.modified = time }
        state.files[number] = file
      }
      report(notice, of: number, &state)
    }
  }

  /// Ends the watch of a file, as the kernel does with its last name.
  func endWatch(_ number: UInt64) {
    state.withLock { state in
      report(.selfRemoved, of: number, &state)
      report(.ended, of: number, &state)
      state.files[number]?.watch = nil
    }
  }

  private func report(_ notice: FileNotices, of number: UInt64, _ state: inout State) {
    guard let file = state.files[number], let watch = file.watch else { return }
    if notice != .ended, file.notices.isDisjoint(with: notice) { return }
    let record = FileNotification(watch: watch, notices: notice, hasName: false)
    if state.records.last == record { return }
    if state.records.count < capacity { return state.records.append(record) }
    if state.hasOverflowed { return }
    state.hasOverflowed = true
    state.records.append(FileNotification(watch: -1, notices: .overflow, hasName: false))
  }

  // MARK: - Calls of the watcher

  func add(_ descriptor: Int32, for notices: FileNotices, keeping: Bool) throws(SystemError)
    -> Int32
  {
    try state.withLock { state in
      Result { () throws(SystemError) in
        if !state.refusals.isEmpty { throw state.refusals.removeFirst() }
        guard let number = state.descriptors[descriptor], var file = state.files[number]
        else { throw .noSuchFileOrDirectory }
        if file.watch == nil {
          file.watch = state.nextWatch
          file.notices = []
          state.nextWatch += 1
        }
        file.notices = keeping ? file.notices.union(notices) : notices
        state.files[number] = file
        return file.watch ?? 0
      }
    }.get()
  }

  func addParent(of descriptor: Int32) throws(SystemError) -> Int32 { throw .permissionDenied }

  func remove(_ watch: Int32) {
    state.withLock { state in
      for (number, file) in state.files where file.watch == watch {
        report(.ended, of: number, &state)
        state.files[number]?.watch = nil
      }
    }
  }

  func observation(of descriptor: Int32, withPlace: Bool) throws(SystemError) -> FileObservation {
    let status = state.withLock { state in
      state.descriptors[descriptor].flatMap { state.files[$0]?.status }
    }
    guard let status else { throw .badFileDescriptor }
    return FileObservation(status)
  }

  func read(into bytes: inout [UInt8]) -> Int {
    let records = state.withLock { state in
      state.hasOverflowed = false
      let count = min(state.records.count, reportsInRead, bytes.count / 16)
      defer { state.records.removeFirst(count) }
      return Array(state.records[..<count])
    }
    for (index, record) in records.enumerated() {
      let words = [UInt32(bitPattern: record.watch), record.notices.rawValue, 0, 0]
      for (place, word) in words.enumerated() {
        for byte in 0..<4 {
          let shifted = word.littleEndian >> (8 * UInt32(byte))
          bytes[index * 16 + place * 4 + byte] = UInt8(truncatingIfNeeded: shifted)
        }
      }
    }
    return records.count * 16
  }

  func startWaiting(_ receiver: any ReadinessReceiver) throws(SystemError) {
    let refusal = state.withLock { state in
      state.isWaiting = state.waitRefusal == nil
      return state.waitRefusal
    }
    if let refusal { throw refusal }
  }

  func rearm() {}

  func stopWaiting() { state.withLock { $0.isWaiting = false } }
}

/// Collects the events of one watched file.
final class EventCollector: FileWatchReceiver {
  private let collected = BargingLock<EventSource.FileSystemEvent>([])

  func occurred(_ events: EventSource.FileSystemEvent) {
    collected.withLock { $0.formUnion(events) }
  }

  /// Returns the events since the last call.
  func take() -> EventSource.FileSystemEvent {
    collected.withLock { collected in
      defer { collected = [] }
      return collected
    }
  }
}

extension FileWatcher {
  /// Reads all reports that wait and calls the receivers.
  func pass() {
    ready(.readable)
    queue.sync {}
  }
}
