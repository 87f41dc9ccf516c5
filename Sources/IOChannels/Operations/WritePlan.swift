import DataRegions
import IOChannelsEngine

/// The sizes of the transfers into which a write divides its bytes.
struct WritePlan: Sendable {
  let limits: DeliveryLimits
  /// The blocks that the bytes lie in, where that matters.
  let blocks: DirectBlocks?

  /// Returns the bytes of the next transfer, of unwritten bytes at an offset of the operation.
  ///
  /// They are the first region in full (S24) and further ones while they fit, at most as many as
  /// the high-water mark.
  func next(of data: DataBuffer, at offset: Int) -> DataBuffer {
    if let blocks { return data.subdata(in: 0..<directCount(data, at: offset, blocks)) }
    let limit = min(limits.step, limits.highWater)
    if data.count <= limit, data.regions.count <= Request.regionLimit { return data }
    var count = 0
    for region in data.regions.prefix(Request.regionLimit) {
      if count > 0, count + region.count > limit { break }
      count += region.count
      if count >= limit { break }
    }
    return data.subdata(in: 0..<min(count, limits.highWater))
  }

  /// Returns the memory into which the next transfer is copied, 0 for none.
  ///
  /// Direct I/O needs full blocks in page-aligned memory, and the caller's has any alignment. Other
  /// bytes are written from there.
  func memoryCount(for data: DataBuffer, at offset: Int) -> Int {
    guard let blocks else { return 0 }
    let count = directCount(data, at: offset, blocks)
    return count.isMultiple(of: DirectBlocks.size) ? BufferPool.capacity(for: count) : 0
  }

  /// Returns the number of bytes in the next full blocks, before the first or after the last one.
  private func directCount(_ data: DataBuffer, at offset: Int, _ blocks: DirectBlocks) -> Int {
    let most = min(data.count, limits.step, limits.highWater)
    let head = blocks.head(at: offset)
    if head > 0 { return min(most, DirectBlocks.size - head) }
    return most < DirectBlocks.size ? most : most & ~(DirectBlocks.size - 1)
  }
}
