// Reloads a service's configuration on SIGHUP, and stops it in good order on SIGTERM.

import EventSources
import Glibc

/// Runs the main queue until SIGTERM has arrived and the group of jobs is empty.
func runService(jobs: WorkGroup, reload: @escaping @Sendable () -> Void) -> Never {
  let hangUp = EventSource.makeSignalSource(signal: SIGHUP, queue: .main)
  hangUp.setEventHandler(handler: reload)
  hangUp.activate()

  let termination = EventSource.makeSignalSource(signal: SIGTERM, queue: .main)
  termination.setEventHandler {
    print("stopping")
    hangUp.cancel()
    // A second SIGTERM has its default action again and ends the program at once.
    termination.cancel()
    jobs.notify(queue: .main) {
      print("stopped")
      exit(0)
    }
  }
  termination.activate()
  WorkQueue.runMain()
}

// snippet.hide
let jobs = WorkGroup()
WorkQueue.main.async {
  print("started")
  WorkQueue.global().async(group: jobs) {
    kill(getpid(), SIGHUP)
    usleep(50_000)
  }
}
runService(jobs: jobs) {
  print("reloaded")
  kill(getpid(), SIGTERM)
}
// started
// reloaded
// stopping
// stopped
