// Passes messages between parts of a program, or to a child process.

import EventSources

let (port, sender) = try EventPort.makePair()
let source = EventSource.makePortReceiveSource(port: port, queue: WorkQueue(label: "port"))
source.setEventHandler {
  while let message = try? port.receive() { handle(message) }
}
source.activate()

try sender.send([1, 2, 3])
try sender.send([4])

// snippet.hide
enum Messages {
  static let received = CountingSemaphore(value: 0)
}

func handle(_ message: [UInt8]) {
  print("received", message)
  Messages.received.signal()
}

for _ in 0..<2 { Messages.received.wait() }
source.cancel()
// received [1, 2, 3]
// received [4]
