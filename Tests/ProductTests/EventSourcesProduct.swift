import EventSources

/// What a program can name that imports this product alone.
func useEventSources() -> Bool {
  let queue = WorkQueue(label: "events")
  let timer: TimerSource = EventSource.makeTimerSource(flags: .strict, queue: queue)
  timer.schedule(deadline: Deadline.now() + .seconds(10), repeating: Duration.seconds(1))
  let fires: SourceEvents<Int, Never> = timer.events
  let data: DataSource = EventSource.makeUserDataAddSource(queue: queue)
  let reading: ReadSource = EventSource.makeReadSource(fileDescriptor: 0, queue: queue)
  let bytes: SourceEvents<Int, SystemError> = reading.events
  let signals: SignalSource = EventSource.makeSignalSource(signal: 10, queue: queue)
  let changes: FileSystemSource = EventSource.makeFileSystemObjectSource(
    fileDescriptor: 0,
    eventMask: [.write, .rename],
    queue: queue
  )
  let exits: ProcessSource? = try? EventSource.makeProcessSource(
    identifier: 1,
    eventMask: .exit,
    queue: queue
  )
  let status: ProcessStatus? = exits?.status
  let pressure: MemoryPressureSource? = try? EventSource.makeMemoryPressureSource(
    eventMask: [.warning, .critical],
    queue: queue
  )
  let sources: [EventSource?] = [timer, data, reading, signals, changes, exits, pressure]
  let cancelled = WorkGroup()
  for source in sources.compactMap({ $0 }) {
    cancelled.enter()
    source.setEventHandler(handler: WorkItem {})
    source.setCancelHandler { cancelled.leave() }
    // A source that was cancelled registers nothing.
    source.cancel()
    source.activate()
  }
  withExtendedLifetime((fires, bytes)) {}
  let result: WaitResult = cancelled.wait(timeout: .now() + .seconds(10))
  let error: SystemError? = reading.registrationError
  return result == .success && error == nil && status == nil
}
