// Follows a log through rotation and truncation.

import EventSources
import Glibc

/// A watcher that calls a closure on a serial queue with the text that is appended to a log.
final class LogFollower: @unchecked Sendable {
  // The queue runs all functions, so that they need no lock.
  private let path: String
  private let queue: WorkQueue
  private let text: @Sendable (String) -> Void
  private let directory: FileSystemSource
  private var file: FileSystemSource?
  private var number: ino_t = 0
  private var offset: off_t = 0

  init(_ path: String, queue: WorkQueue, text: @escaping @Sendable (String) -> Void) {
    self.path = path
    self.queue = queue
    self.text = text
    let parent = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) + "/"
    let descriptor = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    directory = EventSource.makeFileSystemObjectSource(
      fileDescriptor: descriptor,
      eventMask: .write,
      queue: queue
    )
    directory.setCancelHandler { close(descriptor) }
    // A new file has the name once the old one was renamed or removed.
    directory.setEventHandler { self.lookForFile() }
    directory.setRegistrationHandler { self.lookForFile() }
    directory.activate()
  }

  func stop() {
    directory.cancel()
    queue.async { self.file?.cancel() }
  }

  private func lookForFile() {
    var status = stat()
    guard stat(path, &status) == 0, file == nil || status.st_ino != number else { return }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0, fstat(descriptor, &status) == 0 else { return }
    // The program may have written to the old file until now.
    if let file { read(Int32(file.handle)) }
    file?.cancel()
    number = status.st_ino
    offset = 0
    let source = EventSource.makeFileSystemObjectSource(
      fileDescriptor: descriptor,
      eventMask: [.write, .extend],
      queue: queue
    )
    source.setRegistrationHandler { self.read(descriptor) }
    source.setEventHandler { self.read(descriptor) }
    source.setCancelHandler { close(descriptor) }
    source.activate()
    file = source
  }

  private func read(_ descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return }
    // A file that has become shorter was truncated.
    if status.st_size < offset { offset = 0 }
    var bytes = [UInt8](repeating: 0, count: 4_096)
    while case let count = pread(descriptor, &bytes, bytes.count, offset), count > 0 {
      offset += off_t(count)
      text(String(decoding: bytes[..<count], as: UTF8.self))
    }
  }
}

// snippet.hide
let log = "\(CommandLine.arguments[0]).log"
unlink(log)

func append(_ text: String, flags: Int32 = 0) {
  let file = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | flags, 0o600)
  write(file, text, text.utf8.count)
  close(file)
}

let seen = CountingSemaphore(value: 0)
let follower = LogFollower(log, queue: WorkQueue(label: "log")) { text in
  print(text, terminator: "")
  seen.signal()
}
append("first file\n")
seen.wait()
append("more of it\n")
seen.wait()
rename(log, "\(log).1")
append("second file\n")
seen.wait()
append("truncated\n", flags: O_TRUNC)
seen.wait()
follower.stop()
unlink(log)
unlink("\(log).1")
// first file
// more of it
// second file
// truncated
