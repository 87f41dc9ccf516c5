// Reads a file to its end and prints its lines.

import Glibc
import IOChannels

do {
  let bytes = try await IOChannel.withOpen("/proc/self/comm") { file in
    try await file.readAll()
  }
  for line in bytes.lines { print(String(decoding: line, as: UTF8.self)) }
} catch {
  // One line, such as "read: open of a/b: Permission denied".
  try? await IOChannel.standardError.write(DataBuffer("read: \(error)\n".utf8))
  exit(1)
}

// snippet.hide
// ReadFile
