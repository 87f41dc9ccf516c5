internal import IOChannelsLocks

/// A producer that reports the changes of one file to a source.
final class FileSystemProducer: EventProducer, FileWatchReceiver {
  private struct State: Sendable {
    var core: SourceCore?
    var registration: Registration?
  }

  private struct Registration: Sendable {
    let watcher: FileWatcher
    let member: WatchMember
  }

  private let descriptor: Int32
  private let mask: EventSource.FileSystemEvent
  private let sharedWatcher: @Sendable () throws(SystemError) -> FileWatcher
  private let state = BargingLock(State())

  init(
    _ descriptor: Int32,
    _ mask: EventSource.FileSystemEvent,
    watcher: @escaping @Sendable () throws(SystemError) -> FileWatcher = SharedFileWatcher.get
  ) {
    self.descriptor = descriptor
    self.mask = mask
    sharedWatcher = watcher
  }

  func start(for core: SourceCore) {
    // Events may arrive before `add` returns.
    state.withLock { $0.core = core }
    do throws(SystemError) {
      let watcher = try sharedWatcher()
      let member = try watcher.add(descriptor, mask: mask, self)
      state.withLock { $0.registration = Registration(watcher: watcher, member: member) }
      core.registered(nil)
    } catch {
      core.registered(error)
    }
  }

  func occurred(_ events: EventSource.FileSystemEvent) {
    state.withLock { $0.core }?.noted(events.rawValue)
  }

  func stop(for core: SourceCore) {
    let (registration, former) = state.withLock { ($0.registration.take(), $0.core.take()) }
    if let registration { registration.watcher.remove(registration.member) }
    withExtendedLifetime(former) { core.released() }
  }
}
