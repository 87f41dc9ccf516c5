// Ends a child process when its parent has ended.

import EventSources
import Glibc

/// Calls a closure when a process, which need not be a child, has ended.
func watchEnd(
  of process: pid_t,
  queue: WorkQueue,
  ended: @escaping @Sendable () -> Void
) throws {
  let source = try EventSource.makeProcessSource(
    identifier: process,
    eventMask: .exit,
    queue: queue
  )
  // The handler retains the source until the source is cancelled.
  source.setEventHandler {
    ended()
    source.cancel()
  }
  source.activate()
}

// snippet.hide
if CommandLine.arguments.count > 1 {
  let end = CountingSemaphore(value: 0)
  let parent = pid_t(CommandLine.arguments[1]) ?? 0
  try watchEnd(of: parent, queue: WorkQueue(label: "parent")) {
    print("the parent has ended")
    end.signal()
  }
  end.wait()
} else {
  let output = popen("\"\(CommandLine.arguments[0])\" $$ &", "r")
  var bytes = [UInt8](repeating: 0, count: 100)
  while case let count = fread(&bytes, 1, bytes.count, output), count > 0 {
    print(String(decoding: bytes[..<count], as: UTF8.self), terminator: "")
  }
  pclose(output)
}
// the parent has ended
