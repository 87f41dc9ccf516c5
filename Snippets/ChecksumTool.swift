// Takes the Adler-32 sum of a file, reading ahead and in bounded memory.

import IOChannels

struct Adler32 {
  private var low: UInt32 = 1
  private var high: UInt32 = 0

  var value: UInt32 { high << 16 | low }

  mutating func add(_ bytes: DataBuffer) {
    for byte in bytes {
      low = (low + UInt32(byte)) % 65521
      high = (high + low) % 65521
    }
  }
}

func checksum(_ path: BytePath) async throws -> UInt32 {
  try await IOChannel.withOpen(path) { file in
    var sum = Adler32()
    // The bytes are looked at where they were read; the next piece is read meanwhile.
    for try await piece in file.chunks() { sum.add(piece) }
    return sum.value
  }
}

let file = BytePath("\(CommandLine.arguments[0]).txt")
try await IOChannel.withOpen(file, [.writeOnly, .create, .truncate]) { file in
  try await file.write(DataBuffer("Wikipedia".utf8))
}
print(String(try await checksum(file), radix: 16))

// snippet.hide
// 11e60398
