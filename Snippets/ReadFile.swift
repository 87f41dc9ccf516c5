// Reads a file to its end and prints its lines.

import IOChannels

let bytes = try await IOChannel.withOpen("/proc/self/comm") { file in
  try await file.readAll()
}
for line in bytes.lines { print(String(decoding: line, as: UTF8.self)) }

// snippet.hide
// ReadFile
