public import DataRegions
public import Dispatch

extension DataBuffer {
  /// Creates a buffer that refers to the bytes of a `DispatchData`, region by region, without
  /// copying them.
  ///
  /// Each region keeps only its own memory, so a part of the buffer keeps only the regions that it
  /// refers to. The memory is released once, on the thread that releases the last buffer that
  /// refers to a byte of it. Dispatch then frees it in its own way.
  ///
  /// - Complexity: O(regions · log regions)
  public init(_ data: DispatchData) {
    self.init()
    append(data, regionSizes: data.regionSizes[...])
  }

  /// Cuts the data in halves down to single regions; cutting each region out of the complete data
  /// would take time for all regions before it.
  private mutating func append(_ data: DispatchData, regionSizes sizes: ArraySlice<Int>) {
    guard sizes.count > 1 else {
      append(showing: data)
      return
    }
    let middle = sizes.startIndex + sizes.count / 2
    let byteCount = sizes[..<middle].reduce(0, +)
    append(data.subdata(in: 0..<byteCount), regionSizes: sizes[..<middle])
    append(data.subdata(in: byteCount..<data.count), regionSizes: sizes[middle...])
  }
}
