// Goes from `Data` and `DispatchData` to buffers and back.

import DataRegions
import DataRegionsFoundation
import DispatchInterop
import Foundation

// A buffer refers to the memory of a `Data` and of each region of a `DispatchData`.
let data = Data(repeating: 1, count: 1_000)
let dispatched = [UInt8](repeating: 2, count: 500).withUnsafeBytes { DispatchData(bytes: $0) }
let buffer = DataBuffer(data) + DataBuffer(dispatched)
print(buffer.debugDescription)

// `Data` copies, as it could be changed; a `DispatchData` refers to the same regions.
let copy = Data(buffer)
let shared = DispatchData(buffer)
print(copy.count, shared.regions.count)

// Without a copy, region by region, where no code changes the `Data`.
let pieces = buffer.regions.map { region in unsafe Data(bytesNoCopy: region) }
print(pieces.map(\.count))

// snippet.hide
// DataBuffer(1500 bytes in 2 regions: 1000 foreign, custom + 500 foreign, custom)
// 1500 2
// [1000, 500]
