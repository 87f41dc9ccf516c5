// Uses foreign memory without a copy, and frees it after its last use.

import DataRegions

let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 16)
memory.initializeMemory(as: UInt8.self, repeating: 7)

var frame = DataBuffer(
  bytesNoCopy: UnsafeRawBufferPointer(memory),
  deallocator: .custom { memory in
    print("\(memory.count) bytes released")
    UnsafeMutableRawBufferPointer(mutating: memory).deallocate()
  }
)

// The memory stays while a buffer refers to a byte of it: here only the part does.
var part = frame.subdata(in: 10..<20)
frame = .empty
print(part.debugDescription)

// A compacted part has memory of its own, so all of the frame is released now.
part = part.compacted()
print(part.debugDescription)

// snippet.hide
// DataBuffer(10 bytes in 1 region: 10 of 4096 foreign, custom)
// 4096 bytes released
// DataBuffer(10 bytes in 1 region: 10 copied)
