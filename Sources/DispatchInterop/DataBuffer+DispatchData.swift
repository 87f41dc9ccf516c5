public import DataRegions
public import Dispatch

extension DataBuffer {
  /// Shows the bytes of a `DispatchData`, region by region, without copying them.
  ///
  /// Each region keeps its own memory only, so a part that is cut out keeps what it shows. The
  /// memory is let go of once, on the thread that drops the last buffer that shows a byte of it;
  /// Dispatch then gives it back in its own way. Keeps S63.
  ///
  /// - Complexity: O(regions · log regions)
  public init(_ data: DispatchData) {
    self.init()
    append(data, regionSizes: data.regionSizes[...])
  }

  /// Cuts the data in halves down to single regions: to cut out each region of the whole would
  /// take time for all regions before it.
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
