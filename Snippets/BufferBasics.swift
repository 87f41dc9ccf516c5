// Joins and cuts buffers without copying their bytes.

import DataRegions

let header = DataBuffer("length: 5\n\n".utf8)
let body = DataBuffer("hello".utf8)

// The sum refers to the memory of both buffers, in two regions.
let message = header + body
print(message.count, "bytes in", message.regions.count, "regions")

// A part refers to the same memory. Its offsets start at 0.
let part = message.subdata(in: header.count..<message.count)
print(part == body, String(decoding: part, as: UTF8.self))

// Process the bytes region by region instead of joining the regions.
for region in message.regions { print(region.count) }

// snippet.hide
// 16 bytes in 2 regions
// true hello
// 11
// 5
