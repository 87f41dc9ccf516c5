import EventSources
import Glibc

// The examples in the comments of EventSources. RepositoryTests compares them with these lines.

private func tick() {
  let timer = EventSource.makeTimerSource(queue: .main)
  timer.setEventHandler { print("tick") }
  timer.schedule(deadline: .now() + .seconds(1), repeating: .seconds(1))
  timer.activate()
}

private func countFires() {
  let timer = EventSource.makeTimerSource(queue: .main)
  timer.setEventHandler { [weak timer] in
    guard let timer else { return }
    print("fired", timer.data, "times")
  }
  timer.schedule(deadline: .now(), repeating: .seconds(1), leeway: .milliseconds(100))
  timer.activate()
}

private func awaitFires() async {
  for await count in TimerSource.ticks(every: .seconds(1)) { print(count) }
}

private func report(show: @escaping @Sendable (UInt) -> Void) {
  let progress = EventSource.makeUserDataAddSource(queue: .main)
  progress.setEventHandler { [weak progress] in show(progress?.data ?? 0) }
  progress.activate()
  progress.add(data: 1)  // on any thread, any number of times
}

private func read(
  _ socket: Int32,
  queue: WorkQueue,
  receive: @escaping @Sendable (_ limit: UInt) -> Void
) {
  let source = EventSource.makeReadSource(fileDescriptor: socket, queue: queue)
  source.setEventHandler { [weak source] in
    guard let source else { return }
    if source.data == 0 { return source.cancel() }
    receive(source.data)
  }
  source.setCancelHandler { close(socket) }
  source.activate()
}

private func write(
  _ socket: Int32,
  queue: WorkQueue,
  sendNext: @escaping @Sendable (_ limit: UInt) -> Bool
) {
  let source = EventSource.makeWriteSource(fileDescriptor: socket, queue: queue)
  source.setEventHandler { [weak source] in
    guard let source else { return }
    let isFinished = sendNext(source.data)
    if isFinished { source.cancel() }
  }
  source.setCancelHandler { close(socket) }
  source.activate()
}

private func watch(
  _ log: Int32,
  queue: WorkQueue,
  readNewLines: @escaping @Sendable () -> Void,
  reopen: @escaping @Sendable () -> Void
) {
  let source = EventSource.makeFileSystemObjectSource(
    fileDescriptor: log,
    eventMask: [.write, .rename, .delete],
    queue: queue
  )
  source.setEventHandler { [weak source] in
    guard let source else { return }
    if source.data.isDisjoint(with: [.rename, .delete]) { readNewLines() } else { reopen() }
  }
  source.setCancelHandler { close(log) }
  source.activate()
}

private func exchange(
  on queue: WorkQueue,
  handle: @escaping @Sendable ([UInt8]) -> Void
) throws {
  let (port, sender) = try EventPort.makePair()
  let source = EventSource.makePortReceiveSource(port: port, queue: queue)
  source.setEventHandler {
    while let message = try? port.receive() { handle(message) }
  }
  source.activate()
  try sender.send([1, 2, 3])
}

private final class Cache: Sendable {
  func removeAll() {}
}

private func empty(_ cache: Cache) throws {
  let source = try EventSource.makeMemoryPressureSource(eventMask: [.warning, .critical])
  source.setEventHandler { cache.removeAll() }
  source.activate()
}

private func observe(_ child: Int32) throws {
  let source = try EventSource.makeProcessSource(identifier: child, eventMask: .exit)
  source.setEventHandler { [weak source] in
    guard let source else { return }
    print("ended:", source.status as Any)
    source.cancel()
  }
  source.activate()
}

private func awaitExit(of child: Int32) async throws {
  if case .signaled(let number, _)? = try await ProcessSource.waitForExit(of: child) {
    print("ended by signal", number)
  }
}

private func awaitSignals(reloadConfiguration: () -> Void) async throws {
  for try await _ in SignalSource.signals(SIGHUP) { reloadConfiguration() }
}

private func handleTermination(shutDown: @escaping @Sendable () -> Void) {
  let source = EventSource.makeSignalSource(signal: SIGTERM, queue: .main)
  source.setEventHandler { shutDown() }
  source.activate()
}
