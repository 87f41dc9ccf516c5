// Writes bytes to a pipe or socket whenever there is room.

import EventSources
import Glibc
import Synchronization

/// Writes bytes to a non-blocking descriptor and calls a closure with the number that were written.
func write(
  _ bytes: [UInt8],
  to descriptor: Int32,
  queue: WorkQueue,
  completion: @escaping @Sendable (Int) -> Void
) {
  let written = Mutex(0)
  let source = EventSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
  source.setEventHandler {
    let isOver = written.withLock { written in
      let rest = Array(bytes[written...].prefix(Int(source.data)))
      let count = Glibc.write(descriptor, rest, rest.count)
      if count > 0 { written += count }
      return written == bytes.count || count < 0 && errno != EAGAIN
    }
    // There is room nearly always: a source with nothing to write would call on and on.
    if isOver { source.cancel() }
  }
  source.setCancelHandler {
    close(descriptor)
    completion(written.withLock { $0 })
  }
  source.activate()
}

// snippet.hide
var ends: [Int32] = [-1, -1]
if pipe(&ends) != 0 { exit(1) }
_ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
let end = CountingSemaphore(value: 0)
let queue = WorkQueue(label: "writer")
write([UInt8](repeating: 7, count: 1_000_000), to: ends[1], queue: queue) { count in
  print("written:", count)
  end.signal()
}
var sum = 0
var chunk = [UInt8](repeating: 0, count: 1 << 16)
while case let count = read(ends[0], &chunk, chunk.count), count > 0 { sum += count }
end.wait()
print("received:", sum)
// written: 1000000
// received: 1000000
