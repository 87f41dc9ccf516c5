internal import IOChannelsLocks

/// A wait for the growth of a regular file.
///
/// The file is compared with its size at the call of `await`. A caller that reads the size itself
/// checks it once more afterwards, so that no growth before the call is missed.
final class FileGrowth: FileWatchReceiver {
  private struct State: Sendable {
    var receiver: (@Sendable () -> Void)?
    var member: WatchMember?
  }

  private let watcher: FileWatcher
  private let state: BargingLock<State>

  private init(_ watcher: FileWatcher, _ receiver: @escaping @Sendable () -> Void) {
    self.watcher = watcher
    state = BargingLock(State(receiver: receiver))
  }

  /// Calls a closure once when the file of a descriptor has grown, on a queue of this module.
  ///
  /// The descriptor stays open until `cancel` was called, also after the closure was.
  ///
  /// - Throws: The errors of `FileWatcher.add`.
  static func await(
    _ descriptor: BorrowedDescriptor,
    _ receiver: @escaping @Sendable () -> Void
  ) throws(SystemError) -> FileGrowth {
    let watcher = try SharedFileWatcher.get()
    let growth = FileGrowth(watcher, receiver)
    let member = try watcher.add(descriptor.rawValue, mask: .extend, growth)
    growth.state.withLock { $0.member = member }
    return growth
  }

  func occurred(_ events: EventSource.FileSystemEvent) {
    state.withLock { $0.receiver.take() }?()
  }

  /// Ends the wait; the kernel has released the file when this returns.
  ///
  /// A call of the closure may still run. It does nothing when it is called again.
  func cancel() {
    let (member, dropped) = state.withLock { ($0.member.take(), $0.receiver.take()) }
    if let member { watcher.remove(member) }
    withExtendedLifetime(dropped) {}
  }
}
