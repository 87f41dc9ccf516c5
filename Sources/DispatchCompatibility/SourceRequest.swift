internal import CDispatchABI
internal import EventSources
internal import QueueRuntime

/// The request of a C program for a source.
struct SourceRequest {
  /// The number of the source's type.
  let kind: Int32
  let handle: UInt
  let mask: UInt
  /// The queue of the handlers, nil for the default global one.
  let queue: WorkQueue?

  /// Creates the source; nil for a handle or mask that the type does not permit, and where the
  /// system has no such events.
  func makeSource() -> EventSource? {
    switch kind {
    case GCD_SOURCE_DATA_ADD: makeDataSource(merging: .adding)
    case GCD_SOURCE_DATA_OR: makeDataSource(merging: .or())
    case GCD_SOURCE_DATA_REPLACE: makeDataSource(merging: .replacing)
    case GCD_SOURCE_TIMER: makeTimerSource()
    case GCD_SOURCE_READ: descriptor.map { ReadSource(fileDescriptor: $0, queue: queue) }
    case GCD_SOURCE_WRITE: descriptor.map { WriteSource(fileDescriptor: $0, queue: queue) }
    case GCD_SOURCE_SIGNAL: makeSignalSource()
    case GCD_SOURCE_PROC: makeProcessSource()
    case GCD_SOURCE_VNODE: makeFileSystemSource()
    case GCD_SOURCE_MEMORYPRESSURE: makeMemoryPressureSource()
    default: nil
    }
  }

  /// The handle as a descriptor, nil if it cannot be one or the request has a mask.
  private var descriptor: Int32? { mask == 0 ? Int32(exactly: handle) : nil }

  private func makeDataSource(merging: DataSource.Merging) -> EventSource? {
    handle == 0 && mask == 0 ? DataSource(merging: merging, queue: queue) : nil
  }

  private func makeTimerSource() -> EventSource? {
    let known = UInt(GCD_TIMER_STRICT | GCD_TIMER_BACKGROUND)
    guard handle == 0, mask & ~known == 0 else { return nil }
    return TimerSource(flags: EventSource.TimerFlags(rawValue: mask), queue: queue)
  }

  private func makeSignalSource() -> EventSource? {
    guard mask == 0, (1...64).contains(handle) else { return nil }
    let signal = Int32(handle)
    // As in Dispatch, a source of a signal that a program cannot handle exists and never fires.
    if !SignalSource.canWatch(signal) { return SilentSource(handle: handle, queue: queue) }
    return SignalSource(signal: signal, queue: queue)
  }

  private func makeProcessSource() -> EventSource? {
    let events = EventSource.ProcessEvent(rawValue: mask)
    guard let number = Int32(exactly: handle) else { return nil }
    guard ProcessSource.accepts(identifier: number, eventMask: events) else { return nil }
    return try? ProcessSource(identifier: number, eventMask: events, queue: queue)
  }

  private func makeFileSystemSource() -> EventSource? {
    let events = EventSource.FileSystemEvent(rawValue: mask)
    let known = EventSource.FileSystemEvent.all.union(.funlock)
    guard let number = Int32(exactly: handle), !events.isEmpty, events.isSubset(of: known) else {
      return nil
    }
    return FileSystemSource(fileDescriptor: number, eventMask: events, queue: queue)
  }

  private func makeMemoryPressureSource() -> EventSource? {
    let levels = EventSource.MemoryPressureEvent(rawValue: mask)
    guard handle == 0, !levels.isEmpty, levels.isSubset(of: .all) else { return nil }
    return try? MemoryPressureSource(eventMask: levels, queue: queue)
  }
}
