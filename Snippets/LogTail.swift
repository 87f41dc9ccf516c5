// Prints a log and what is appended to it, through rotation and truncation: LogTail FILE

import EventSources
import IOChannels

/// Waits until a file with a name exists.
func waitForFile(_ path: String) async throws {
  while (try? await IOChannel.withOpen(path) { _ in }) == nil {
    try await Task.sleep(for: .milliseconds(100))
  }
}

/// Prints the file that has a name, until another file has it.
func follow(_ path: String) async throws {
  try await IOChannel.withOpen(path) { file in
    let source = FileSystemSource(fileDescriptor: file.fileDescriptor, eventMask: .all)
    var changes = source.events.makeAsyncIterator()
    var (offset, hasName): (Int64, Bool) = (0, true)
    while true {
      // A file without the last byte that was printed has been truncated.
      if offset > 0, try await file.read(upTo: 1, at: offset - 1).isEmpty { offset = 0 }
      while case let bytes = try await file.read(upTo: 65_536, at: offset), !bytes.isEmpty {
        try await IOChannel.standardOutput.write(bytes)
        offset += Int64(bytes.count)
      }
      guard hasName, let events = try await changes.next() else { return }
      hasName = events.isDisjoint(with: [.rename, .delete])
      // The program writes to the old file until it has created the new one.
      if !hasName { try await waitForFile(path) }
    }
  }
}

while let log = CommandLine.arguments.dropFirst().first {
  try await waitForFile(log)
  // The file may be renamed before it is opened.
  do { try await follow(log) } catch let error as IOChannelError where error.operation == .open {}
}
