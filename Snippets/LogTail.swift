// Prints a log and what is appended to it, through rotation and truncation: LogTail FILE

import EventSources
import Glibc
import IOChannels

/// Returns the identity of the file that has a name now; nil if there is none.
func identity(of path: String) async -> FileIdentity? {
  try? await IOChannel.withOpen(path) { try await $0.status().identity }
}

/// Prints the file that has a name, until another file has it.
func follow(_ path: String) async throws {
  try await IOChannel.withOpen(path) { file in
    let own = try await file.status().identity
    let source = FileSystemSource(fileDescriptor: file.fileDescriptor, eventMask: .all)
    var changes = source.events.makeAsyncIterator()
    var offset: Int64 = 0
    while true {
      // The bytes are read afterwards: until another file has the name, this one may grow.
      let current = await identity(of: path)
      // A file that has become shorter was truncated.
      if try await file.status().size < offset { offset = 0 }
      while case let bytes = try await file.read(upTo: 65_536, at: offset), !bytes.isEmpty {
        try await IOChannel.standardOutput.write(bytes)
        offset += Int64(bytes.count)
      }
      if let current, current != own { return }
      if current == nil {
        try await Task.sleep(for: .milliseconds(100))
      } else if try await changes.next() == nil {
        return
      }
    }
  }
}

while let log = CommandLine.arguments.dropFirst().first {
  do { try await follow(log) } catch let error as IOChannelError
    where error.reason == .noSuchFileOrDirectory
  {
    // After a rotation there may be no file for a while.
  } catch {
    try? await IOChannel.standardError.write(DataBuffer("tail: \(error)\n".utf8))
    exit(1)
  }
  try? await Task.sleep(for: .milliseconds(100))
}
