// Observes processes and descriptors in one of several ways that need a process of their own.
//
// A way that works ends with status 0; what it has found stands on standard output, a line each.

import CIOChannelsTestSupport
import EventSources
import IOChannelsSystem
import IOChannelsTestSupport

/// The arguments, which the variable `OBSERVE` replaces: without `/proc` Swift finds none.
private let arguments =
  Environment.value(of: "OBSERVE").map { ["observe"] + $0.split(separator: " ").map(String.init) }
  ?? CommandLine.arguments

/// Writes a line at once.
private func say(_ line: String) {
  let bytes = Array("\(line)\n".utf8)
  _ = try? BorrowedDescriptor(rawValue: 1).write(bytes, 0..<bytes.count)
}

/// Returns the status as words.
private func words(_ status: ProcessStatus?) -> String {
  switch status {
  case .exited(let code): "exited \(code)"
  case .signaled(let number, _): "signaled \(number)"
  case nil: "unknown"
  }
}

/// Keeps a thread and ends the first one.
private func endFirstThread() throws {
  let forever = CountingSemaphore(value: 0)
  try PlatformThread.start(name: "second") { forever.wait() }
  ct_end_thread()
}

/// Watches a file on a second thread once the first one has ended.
private func watchFile(_ path: String) throws {
  try PlatformThread.start(name: "second") {
    do {
      // The directory of the process has no descriptors any more.
      for _ in 0..<10_000 {
        if (try? BorrowedDescriptor.workingDirectory.status(of: "/proc/self/fd/1")) == nil { break }
        _ = CountingSemaphore(value: 0).wait(timeout: .now() + .milliseconds(1))
      }
      try watchFileHere(path)
      ct_leave(0)
    } catch {
      say("\(error)")
      ct_leave(1)
    }
  }
  ct_end_thread()
}

private func watchFileHere(_ path: String) throws {
  let file = try openFile(path, .readWrite)
  _ = try file.borrowed.reopen(.readOnly)
  say("reopened")
  let end = CountingSemaphore(value: 0)
  let source = EventSource.makeFileSystemObjectSource(
    fileDescriptor: file.rawValue,
    eventMask: .all
  )
  source.setEventHandler { [unowned source] in
    say("\(source.data.rawValue)")
    end.signal()
  }
  source.activate()
  if let error = source.registrationError { throw error }
  say("registered")
  try file.borrowed.setSize(1000)
  end.wait()
  source.cancel()
}

/// Waits for a process, which may be another user's.
private func observe(
  _ process: Int32,
  registered: @escaping @Sendable () -> Void = {}
) throws {
  let end = CountingSemaphore(value: 0)
  let source = try EventSource.makeProcessSource(identifier: process, eventMask: .exit)
  source.setRegistrationHandler {
    say("registered")
    registered()
  }
  source.setEventHandler { [unowned source] in
    say(words(source.status))
    source.cancel()
  }
  source.setCancelHandler { end.signal() }
  source.activate()
  end.wait()
}

/// Waits for a child whose status the kernel throws away.
private func observeIgnoredChild() throws {
  let childEnds: Int32 = 17
  ct_ignore_signal(childEnds)
  let child = try ChildProcess(["sleep", "1000"])
  try observe(child.identifier) { child.send(signal: 9) }
}

/// Tries to create a source of forks.
private func createForkSource() {
  do throws(SystemError) {
    let source = try EventSource.makeProcessSource(
      identifier: 1,
      eventMask: [.exit, .fork],
      queue: nil
    )
    source.cancel()
    source.activate()
    say("created")
  } catch {
    say("error \(error.rawValue)")
  }
}

switch arguments.dropFirst().first {
case "endFirstThread": try endFirstThread()
case "watchFile": try watchFile(arguments[2])
case "process": try observe(Int32(arguments[2]) ?? 0)
case "ignored": try observeIgnoredChild()
case "fork": createForkSource()
case "descriptors": try countDescriptors()
case "threadless": try deliverWithoutThreads()
case "events": try receiveEvents(file: arguments[2])
case "limited": try limitDescriptors(kind: arguments[2], file: arguments[3])
case "number": _ = try EventSource.makeProcessSource(identifier: 0, eventMask: .exit)
case "empty": _ = try EventSource.makeProcessSource(identifier: 1, eventMask: [])
case "unknown":
  _ = try EventSource.makeProcessSource(identifier: 1, eventMask: [.exit, .init(rawValue: 1)])
default: say("unknown way")
}
