internal import IOChannelsLocks

/// The receiver of the events of one watched file.
protocol FileWatchReceiver: AnyObject, Sendable {
  /// Notes events, which are never empty; called on the queue of the watcher.
  func occurred(_ events: EventSource.FileSystemEvent)
}

/// Watches files for the sources of the process.
///
/// The kernel reports to one queue. The thread `sources` wakes a worker, which reads the reports,
/// examines the files and calls the receivers.
final class FileWatcher: ReadinessReceiver {
  typealias Events = EventSource.FileSystemEvent

  private struct State: Sendable {
    var table = WatchTable()
    var receivers: [WatchMember: any FileWatchReceiver] = [:]
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
  }

  private let kernel: any FileWatchKernel
  /// The state, and the order of the calls that add and remove watches and read reports.
  ///
  /// These calls run under the lock. The kernel gives all receivers of a file one watch: a call
  /// that adds a receiver must not run beside one that removes the watch of another. Reports name
  /// watches, so that a read must not run beside them either. A file system that does not answer
  /// holds up the calls of `add` and `remove` that follow. The thread `sources` takes no part.
  private let state = BargingLock(State())
  private let generation = ProcessGeneration.current
  /// The queue on which files are examined and receivers are called.
  let queue = WorkQueue(label: "file-system sources")
  /// The reads of one pass, after which other work of the pool runs.
  private static let readsInOnePass = 16
  /// The reads that empty the kernel's queue, which holds 16,384 reports of at most 272 bytes.
  private static let readsOfFullQueue = 128

  init(kernel: any FileWatchKernel) { self.kernel = kernel }
}

// MARK: - Receivers

extension FileWatcher {
  /// Watches the file of a descriptor, which must stay open until the receiver is removed.
  ///
  /// The watcher keeps the receiver until then. Changes from before the call are not reported.
  ///
  /// - Throws: `EBADF`; `EACCES` if the process may not read the file; `ENOSPC` and `EMFILE` where
  ///   the user has too many watches; `ENOENT` without `/proc`.
  func add(
    _ descriptor: Int32,
    mask: Events,
    _ receiver: any FileWatchReceiver
  ) throws(SystemError) -> WatchMember {
    let observed = try kernel.observation(of: descriptor, withPlace: mask.contains(.rename))
    let (added, hasWork) = state.withLock { state in
      let added = Result { () throws(SystemError) in
        try add(descriptor, mask, observed, receiver, to: &state)
      }
      return (added, state.table.hasWork)
    }
    if hasWork { queue.async { self.examine() } }
    return try added.get()
  }

  private func add(
    _ descriptor: Int32,
    _ mask: Events,
    _ observed: FileObservation,
    _ receiver: any FileWatchReceiver,
    to state: inout State
  ) throws(SystemError) -> WatchMember {
    if state.table.contains(observed.identity) {
      // Reports that wait belong to the file's other receivers.
      var reads = 0
      while reads < Self.readsOfFullQueue, read(&state) { reads += 1 }
    }
    let notices = mask.notices(forDirectory: observed.isDirectory)
    let watch = try kernel.add(descriptor, for: notices, keeping: true)
    var parent: Int32?
    do throws(SystemError) {
      if observed.isDirectory, mask.needsParent { parent = try addParent(of: descriptor) }
      if state.table.isEmpty { try kernel.startWaiting(self) }
    } catch {
      for unused in [watch, parent].compactMap(\.self) where !state.table.contains(watch: unused) {
        kernel.remove(unused)
      }
      throw error
    }
    let member = state.table.add(
      descriptor: descriptor,
      mask: mask,
      watch: watch,
      parent: parent,
      observed: observed
    )
    state.receivers[member] = receiver
    return member
  }

  /// Watches the directory that contains a directory, if the process may read it.
  private func addParent(of descriptor: Int32) throws(SystemError) -> Int32? {
    do throws(SystemError) {
      return try kernel.addParent(of: descriptor)
    } catch {
      switch error {
      case .noSpace, .noMemory, .tooManyOpenFiles, .tooManyOpenFilesInSystem: throw error
      default: return nil
      }
    }
  }

  /// Removes a receiver; the kernel has released its file when this returns.
  ///
  /// A call of the receiver may still run or follow, if the worker has begun it.
  func remove(_ member: WatchMember) {
    guard generation == ProcessGeneration.current else { return }
    // The receiver is released outside of the lock.
    let removed = state.withLock { state in
      let changes = state.table.remove(member)
      for change in changes { perform(change, state.table) }
      if state.table.isEmpty { kernel.stopWaiting() }
      return state.receivers.removeValue(forKey: member)
    }
    withExtendedLifetime(removed) {}
  }

  private func perform(_ change: WatchTable.Change, _ table: WatchTable) {
    switch change {
    case .remove(let watch):
      kernel.remove(watch)
    case .replace(let watch, let descriptor, let notices):
      guard let found = try? kernel.add(descriptor, for: notices, keeping: false), found != watch
      else { return }
      // The program has closed the descriptor under its source, and it names another file now.
      if table.contains(watch: found) {
        _ = try? kernel.add(descriptor, for: table.notices(of: found), keeping: true)
      } else {
        kernel.remove(found)
      }
    }
  }
}

// MARK: - Reports

extension FileWatcher {
  func ready(_ states: ReadinessEvents) {
    queue.async { self.serve() }
  }

  /// Reads the reports that wait and calls the receivers.
  private func serve() {
    for _ in 0..<Self.readsInOnePass {
      guard state.withLock({ read(&$0) }) else { break }
      examine()
    }
    kernel.rearm()
  }

  /// Reads some reports.
  ///
  /// - Returns: False if none waited.
  private func read(_ state: inout State) -> Bool {
    let count = kernel.read(into: &state.bytes)
    for notification in FileNotifications(state.bytes, count: count) {
      state.table.noted(notification)
    }
    return count > 0
  }

  /// Examines the files of the noted reports and calls their receivers; runs on the queue.
  private func examine() {
    for examination in state.withLock({ $0.table.takeExaminations() }) {
      if examination.pending.addsWatch { renewWatch(examination) }
      if examination.pending.renewsParent { renewParent(examination) }
      // A file system that does not answer holds up this worker alone.
      let found = try? kernel.observation(
        of: examination.descriptor,
        withPlace: examination.needsPlace
      )
      let (events, receiver) = state.withLock { state in
        let events = state.table.examined(examination, found)
        return (events, state.receivers[examination.member])
      }
      if !events.isEmpty { receiver?.occurred(events) }
    }
  }

  /// Adds the watch of a file again, which may have ended with the last name of the file.
  private func renewWatch(_ examination: WatchTable.Examination) {
    let descriptor = examination.descriptor
    let found = try? kernel.observation(of: descriptor, withPlace: false)
    // A program that closes the descriptor under its source must not watch the next file of the
    // number.
    guard found?.identity == examination.identity else { return }
    state.withLock { state in
      guard state.table.descriptor(of: examination.member) != nil else { return }
      let watch = try? kernel.add(descriptor, for: examination.notices, keeping: true)
      for change in state.table.renewed(examination.member, watch: watch) {
        perform(change, state.table)
      }
    }
  }

  /// Watches the directory into which a directory was moved.
  private func renewParent(_ examination: WatchTable.Examination) {
    state.withLock { state in
      guard state.table.descriptor(of: examination.member) != nil else { return }
      let parent = try? kernel.addParent(of: examination.descriptor)
      for change in state.table.moved(examination.member, parent: parent) {
        perform(change, state.table)
      }
    }
  }
}

/// The file watcher of the process.
enum SharedFileWatcher {
  private static let value = ProcessValue { () throws(SystemError) in
    FileWatcher(kernel: try NotificationKernel())
  }

  /// Returns it as ``ProcessValue/get()`` does.
  static func get() throws(SystemError) -> FileWatcher { try value.get() }
}
