// Prints the Adler-32 checksum of each file that standard input lists, 64 files at a time.

import IOChannels

func checksum(of path: BytePath) async throws -> UInt32 {
  try await IOChannel.withOpen(path) { file in
    var (low, high): (UInt32, UInt32) = (1, 0)
    // The next chunk is read while this one is added. No other part of the file is in memory.
    for try await chunk in ChannelReader(file).chunks(upTo: 1 << 20) {
      for byte in chunk {
        low = (low + UInt32(byte)) % 65_521
        high = (high + low) % 65_521
      }
    }
    return high << 16 | low
  }
}

func printChecksum(of path: BytePath) async {
  do {
    print(String(try await checksum(of: path), radix: 16), path)
  } catch {
    // One line, such as "open of a/b: Permission denied". The other files are still read.
    try? await IOChannel.standardError.write(DataBuffer("\(error)\n".utf8))
  }
}

try await withThrowingTaskGroup(of: Void.self) { files in
  var count = 0
  for try await line in ChannelReader(.standardInput).lines {
    // A file is opened when one of the 64 before it has been closed.
    if count >= 64 { _ = try await files.next() }
    files.addTask { await printChecksum(of: BytePath(bytes: line)) }
    count += 1
  }
}
