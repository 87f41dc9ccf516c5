// Starts programs and reports how each of them has ended.

import EventSources
import Glibc

/// Starts a program and calls a closure on a queue with the way in which it has ended.
func start(
  _ command: [String],
  queue: WorkQueue,
  ended: @escaping @Sendable (ProcessStatus?) -> Void
) throws {
  var arguments = command.map { strdup($0) } + [nil]
  defer { for argument in arguments { free(argument) } }
  var child: pid_t = 0
  let error = posix_spawnp(&child, command[0], nil, nil, &arguments, environ)
  if error != 0 { throw SystemError(rawValue: error) }
  let source = try EventSource.makeProcessSource(
    identifier: child,
    eventMask: .exit,
    queue: queue
  )
  source.setEventHandler { [child] in
    ended(source.status)
    // The source does not wait for the child in place of its parent.
    waitpid(child, nil, 0)
    source.cancel()
  }
  source.activate()
}

// snippet.hide
let ended = CountingSemaphore(value: 0)
let queue = WorkQueue(label: "children")
for command in [["true"], ["sh", "-c", "exit 7"], ["sh", "-c", "kill -9 $$"]] {
  try start(command, queue: queue) { status in
    switch status {
    case .exited(let code): print("exit status", code)
    case .signaled(let number, _): print("signal", number)
    case nil: print("unknown")
    }
    ended.signal()
  }
  ended.wait()
}
queue.sync {}
print("children left:", waitpid(-1, nil, WNOHANG) == 0)
// exit status 0
// exit status 7
// signal 9
// children left: false
