// Removes a source and closes its descriptor when nothing uses it any more.

import EventSources
import Glibc

func receive(from socket: Int32, queue: WorkQueue) -> ReadSource {
  let source = EventSource.makeReadSource(fileDescriptor: socket, queue: queue)
  source.setEventHandler { print("not called after a cancellation") }
  // Neither the kernel nor a handler uses the descriptor from here on.
  source.setCancelHandler {
    close(socket)
    print("closed")
  }
  source.activate()
  return source
}

// snippet.hide
var sockets: [Int32] = [-1, -1]
if socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &sockets) != 0 { exit(1) }
let queue = WorkQueue(label: "receiver")
let source = receive(from: sockets[0], queue: queue)
source.suspend()
Glibc.write(sockets[1], [1], 1)
source.cancel()
print("cancelled:", source.isCancelled)
source.resume()
var byte: UInt8 = 0
while recv(sockets[1], &byte, 1, 0) > 0 {}
queue.sync {}
// cancelled: true
// closed
