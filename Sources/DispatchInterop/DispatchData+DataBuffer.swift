public import DataRegions
public import Dispatch

extension DispatchData {
  /// Creates a `DispatchData` that refers to the bytes of a buffer, region by region, without
  /// copying them.
  ///
  /// Each region is released once, after the last `DispatchData` that refers to a byte of it, as a
  /// work item of a Dispatch queue.
  ///
  /// - Parameters:
  ///   - buffer: The buffer whose bytes are used.
  ///   - queue: The queue that releases regions; Dispatch's default queue when it is `nil`.
  /// - Complexity: O(regions · log regions)
  public init(_ buffer: DataBuffer, releasingOn queue: DispatchQueue? = nil) {
    self = DispatchData.joined(Array(buffer.regions)[...], releasingOn: queue)
  }

  /// Joins halves, because Dispatch copies the list of regions at each append.
  private static func joined(
    _ regions: ArraySlice<DataBuffer.Region>,
    releasingOn queue: DispatchQueue?
  ) -> DispatchData {
    if regions.count <= 1 {
      return regions.first.map { DispatchData($0, releasingOn: queue) } ?? .empty
    }
    let middle = regions.startIndex + regions.count / 2
    var data = joined(regions[..<middle], releasingOn: queue)
    data.append(joined(regions[middle...], releasingOn: queue))
    return data
  }
}
