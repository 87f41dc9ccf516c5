internal import IOChannelsLocks

/// The kernel's side of the watched files.
///
/// Members other than `observation` and `read` are called one at a time.
protocol FileWatchKernel: AnyObject, Sendable {
  /// Watches the file of a descriptor and returns the number of the watch.
  ///
  /// The notices of an existing watch are kept, or replaced.
  func add(_ descriptor: Int32, for notices: FileNotices, keeping: Bool) throws(SystemError)
    -> Int32

  /// Watches the directory that contains a directory, for removals.
  func addParent(of descriptor: Int32) throws(SystemError) -> Int32

  func remove(_ watch: Int32)

  /// Returns the state of a file, with a hash of its path if that is asked for.
  func observation(of descriptor: Int32, withPlace: Bool) throws(SystemError) -> FileObservation

  /// Reads reports into the start of an array; returns 0 if none wait.
  func read(into bytes: inout [UInt8]) -> Int

  /// Starts to wait for reports: the receiver is called for the next one.
  func startWaiting(_ receiver: any ReadinessReceiver) throws(SystemError)

  /// Waits for one more report.
  func rearm()

  func stopWaiting()
}

/// The queue of `inotify`, on the readiness list of the process.
final class NotificationKernel: FileWatchKernel {
  private let queue: NotificationQueue
  private let list: ReadinessList
  private let token = BargingLock<ReadinessToken?>(nil)

  init() throws(SystemError) {
    queue = try NotificationQueue()
    list = try SharedReadinessList.get()
  }

  func add(_ descriptor: Int32, for notices: FileNotices, keeping: Bool) throws(SystemError)
    -> Int32
  {
    try queue.add(BorrowedDescriptor(rawValue: descriptor), for: notices, keeping: keeping)
  }

  func addParent(of descriptor: Int32) throws(SystemError) -> Int32 {
    let parent = try BorrowedDescriptor(rawValue: descriptor).open("..", [.path, .directory])
    return try queue.add(parent.borrowed, for: .removed, keeping: true)
  }

  func remove(_ watch: Int32) { queue.remove(watch) }

  func observation(of descriptor: Int32, withPlace: Bool) throws(SystemError) -> FileObservation {
    let status = try BorrowedDescriptor(rawValue: descriptor).status()
    return FileObservation(status, place: withPlace ? place(of: descriptor) : nil)
  }

  /// Returns a hash of the path of an open file, nil without `/proc` and for a path that was
  /// removed.
  private func place(of descriptor: Int32) -> Int? {
    let link = BytePath("/proc/thread-self/fd/\(descriptor)")
    let path = try? BorrowedDescriptor.workingDirectory.target(ofLink: link, length: 255)
    guard let path, !path.bytes.reversed().starts(with: " (deleted)".utf8.reversed())
    else { return nil }
    return path.hashValue
  }

  func read(into bytes: inout [UInt8]) -> Int {
    (try? queue.borrowed.read(into: &bytes)) ?? 0
  }

  func startWaiting(_ receiver: any ReadinessReceiver) throws(SystemError) {
    let new = try list.register(queue.borrowed.rawValue, for: .readable, receiver)
    token.withLock { $0 = new }
  }

  func rearm() {
    if let token = token.withLock({ $0 }) { list.rearm(token, for: .readable) }
  }

  func stopWaiting() {
    if let token = token.withLock({ $0.take() }) { list.remove(token) }
  }
}
