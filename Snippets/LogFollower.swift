// Prints the lines of a growing file as they are completed.

import IOChannels

/// Calls `line` with each line until it returns false.
func follow(_ log: BytePath, line: (String) -> Bool) async throws {
  try await IOChannel.withOpen(log) { file in
    var offset: Int64 = 0
    var rest = DataBuffer.empty
    while true {
      // The loop ends at the end that the file has by now.
      for try await piece in file.chunks(in: offset...) {
        offset += Int64(piece.count)
        rest.append(piece)
      }
      let complete = rest.lastIndex(of: 0x0a).map { $0 + 1 } ?? 0
      for text in rest.subdata(in: 0..<complete).lines {
        guard line(String(decoding: text, as: UTF8.self)) else { return }
      }
      // The removed lines release their memory.
      rest = rest.subdata(in: complete..<rest.count)
      try await Task.sleep(for: .milliseconds(10))
    }
  }
}

let log = BytePath("\(CommandLine.arguments[0]).log")
try await IOChannel.withOpen(log, [.writeOnly, .create, .truncate], type: .stream) { writer in
  async let followed: Void = follow(log) { line in
    print("seen:", line)
    return line != "stop"
  }
  for text in ["start\nha", "lf a line\n", "stop\n"] {
    try await writer.write(DataBuffer(text.utf8))
    try await Task.sleep(for: .milliseconds(20))
  }
  try await followed
}

// snippet.hide
// seen: start
// seen: half a line
// seen: stop
