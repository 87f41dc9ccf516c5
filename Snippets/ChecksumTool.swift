// Prints the Adler-32 checksum of each file that standard input lists, 64 files at a time.

import Glibc
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

/// Prints one line, such as "checksum: open of a/b: Permission denied", and returns the status.
func report(_ error: any Error) async -> Int32 {
  try? await IOChannel.standardError.write(DataBuffer("checksum: \(error)\n".utf8))
  return 1
}

func printChecksum(of path: BytePath) async -> Int32 {
  do { print(String(try await checksum(of: path), radix: 16), path) } catch {
    // The other files are still read.
    return await report(error)
  }
  return 0
}

func printChecksums() async throws -> Int32 {
  try await withThrowingTaskGroup(of: Int32.self) { files in
    var (count, status) = (0, Int32(0))
    for try await line in ChannelReader(.standardInput).lines {
      // A file is opened when one of the 64 before it has been closed.
      if count >= 64 { status |= try await files.next() ?? 0 }
      files.addTask { await printChecksum(of: BytePath(bytes: line)) }
      count += 1
    }
    return try await files.reduce(status) { $0 | $1 }
  }
}

do { exit(try await printChecksums()) } catch { exit(await report(error)) }
