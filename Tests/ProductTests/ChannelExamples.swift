import IOChannels

// The examples in the comments of IOChannels. RepositoryTests compares them with these lines.

private func readHead(of channel: IOChannel) async throws -> DataBuffer {
  let reader = LineReader(channel)
  for try await line in reader.lines {
    if line.isEmpty { break }
    print(String(decoding: line, as: UTF8.self))
  }
  // The body follows the empty line, however the bytes arrived.
  let start = try await reader.read(upTo: 4096)
  return start
}
