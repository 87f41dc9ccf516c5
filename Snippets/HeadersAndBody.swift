// Reads a message: lines up to an empty one, and the body behind them.

import IOChannels

func printMessage(_ path: BytePath) async throws {
  try await IOChannel.withOpen(path, type: .stream) { file in
    let reader = LineReader(file)
    var length = 0
    for try await line in reader.lines {
      if line.isEmpty { break }
      let text = String(decoding: line, as: UTF8.self)
      print("header:", text)
      if text.hasPrefix("Length: ") { length = Int(text.dropFirst(8)) ?? 0 }
    }
    // The reader returns what it has read behind the headers, and then reads on.
    var body = DataBuffer.empty
    while body.count < length {
      let part = try await reader.read(upTo: length - body.count)
      if part.isEmpty { break }
      body.append(part)
    }
    print("body:", String(decoding: body, as: UTF8.self))
  }
}

let message = BytePath("\(CommandLine.arguments[0]).message")
try await IOChannel.withOpen(message, [.writeOnly, .create, .truncate]) { file in
  try await file.write(DataBuffer("Type: text\r\nLength: 4\r\n\r\ntext".utf8))
}
try await printMessage(message)

// snippet.hide
// header: Type: text
// header: Length: 4
// body: text
