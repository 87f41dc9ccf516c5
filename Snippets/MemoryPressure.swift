// Empties a cache when the system is short of memory.

import EventSources
import Glibc

func emptyUnderPressure(_ cache: Cache, queue: WorkQueue) throws -> MemoryPressureSource {
  let source = try EventSource.makeMemoryPressureSource(
    eventMask: [.warning, .critical],
    queue: queue
  )
  source.setEventHandler { [weak source] in
    guard let source else { return }
    // Both bits are set if the level has risen twice since the last call.
    cache.empty(keepingUsed: !source.data.contains(.critical))
  }
  source.activate()
  return source
}

// snippet.hide
struct Cache: Sendable {
  let emptied = CountingSemaphore(value: 0)

  func empty(keepingUsed: Bool) {
    print("emptied, used entries are kept:", keepingUsed)
    emptied.signal()
  }
}

let fifo = "\(CommandLine.arguments[0]).pressure"
unlink(fifo)
if mkfifo(fifo, 0o600) != 0 { exit(1) }
let writer = open(fifo, O_RDWR | O_CLOEXEC)
setenv("MEMORY_PRESSURE_WATCH", fifo, 1)
unsetenv("MEMORY_PRESSURE_WRITE")
let cache = Cache()
let source = try emptyUnderPressure(cache, queue: WorkQueue(label: "pressure"))
Glibc.write(writer, [1], 1)
cache.emptied.wait()
source.cancel()
unlink(fifo)
// emptied, used entries are kept: true
