// Reads a file in the background with a read source.

import EventSources
import Glibc

/// Reads a file and calls a closure on a queue with each chunk, and with an empty one at the end.
func readFile(
  _ path: String,
  queue: WorkQueue,
  chunk: @escaping @Sendable (ArraySlice<UInt8>) -> Void
) {
  let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
  guard file >= 0 else { return queue.async { chunk([]) } }
  // The handler retains the source until the source is cancelled.
  let source = EventSource.makeReadSource(fileDescriptor: file, queue: queue)
  source.setEventHandler {
    guard source.data > 0 else { return source.cancel() }
    var bytes = [UInt8](repeating: 0, count: min(Int(source.data), 64 * 1024))
    let count = read(file, &bytes, bytes.count)
    if count > 0 { chunk(bytes[..<count]) } else { source.cancel() }
  }
  source.setCancelHandler {
    close(file)
    chunk([])
  }
  source.activate()
}

// snippet.hide
let path = "\(CommandLine.arguments[0]).text"
let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
write(file, "some text", 9)
close(file)
let end = CountingSemaphore(value: 0)
readFile(path, queue: WorkQueue(label: "reader")) { chunk in
  print(chunk.isEmpty ? "end" : String(decoding: chunk, as: UTF8.self))
  if chunk.isEmpty { end.signal() }
}
end.wait()
unlink(path)
// some text
// end
