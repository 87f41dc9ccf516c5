// Reloads a configuration when the program receives a signal.

import EventSources
import Glibc

let source = EventSource.makeSignalSource(signal: SIGHUP, queue: WorkQueue(label: "signals"))
source.setEventHandler {
  // This does not run as a signal handler, so it may call any function.
  reloadConfiguration()
}
source.activate()

// snippet.hide
enum Reload {
  static let done = CountingSemaphore(value: 0)
}

func reloadConfiguration() {
  print("reload the configuration")
  Reload.done.signal()
}

kill(getpid(), SIGHUP)
Reload.done.wait()
source.cancel()
// reload the configuration
