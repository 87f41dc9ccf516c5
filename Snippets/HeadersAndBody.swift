// Reads a message: lines up to an empty one, and the body behind them.

import Glibc
import IOChannels

func printMessage(_ path: BytePath) async throws {
  try await IOChannel.withOpen(path) { file in
    let reader = ChannelReader(file)
    var length = 0
    for try await line in reader.stringLines {
      if line.isEmpty { break }
      print("header:", line)
      if line.hasPrefix("Length: ") { length = max(0, Int(line.dropFirst(8)) ?? 0) }
    }
    // The reader returns what it has read behind the headers, and then reads on.
    let body = try await reader.read(exactly: length)
    print("body:", String(decoding: body, as: UTF8.self))
  }
}

let message = BytePath("\(CommandLine.arguments[0]).message")
do {
  try await IOChannel.withOpen(message, [.writeOnly, .create, .truncate]) { file in
    try await file.write(DataBuffer("Type: text\r\nLength: 4\r\n\r\ntext".utf8))
  }
  try await printMessage(message)
} catch {
  try? await IOChannel.standardError.write(DataBuffer("message: \(error)\n".utf8))
  exit(1)
}

// snippet.hide
// header: Type: text
// header: Length: 4
// body: text
