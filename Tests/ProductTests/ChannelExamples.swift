import IOChannels

// The examples in the comments of IOChannels. RepositoryTests compares them with these lines.

private func readHead(of channel: IOChannel) async throws -> DataBuffer {
  let reader = ChannelReader(channel)
  for try await line in reader.stringLines {
    if line.isEmpty { break }
    print(line)
  }
  // The body follows the empty line, however the bytes arrived.
  let body = try await reader.read(exactly: 4096)
  return body
}
