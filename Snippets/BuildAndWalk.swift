// Builds a buffer of several regions, cuts it and walks it, without copying a byte twice.

import DataRegions

let header = DataBuffer("size: 5\n\n".utf8)
let body = DataBuffer("hello".utf8)

// A sum refers to the memory of both buffers.
var message = header + body
message.append(contentsOf: "\n".utf8)

// A part shares the memory too, and its offsets start at 0.
let greeting = message.subdata(in: header.count..<message.count - 1)
print(String(repairing: greeting), greeting[0])

// A region is a collection of its bytes, and gives them as a span.
let lineFeeds = message.regions.reduce(0) { $0 + $1.count { $0 == 0x0a } }
for region in message.regions {
  print("\(region.count) bytes in one place from \(region.offset) on")
}
print("\(lineFeeds) line feeds")

// snippet.hide
// hello 104
// 9 bytes in one place from 0 on
// 5 bytes in one place from 9 on
// 1 bytes in one place from 14 on
// 3 line feeds
