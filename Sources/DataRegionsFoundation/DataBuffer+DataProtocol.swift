public import DataRegions
public import FoundationEssentials

/// A buffer of several regions has no contiguous memory, so it does not conform to
/// `ContiguousBytes`: its `withUnsafeBytes` would copy unexpectedly.
extension DataBuffer: DataProtocol {}

extension DataBuffer.Slice: DataProtocol {
  /// The regions of the slice, with offsets that count from its start.
  public var regions: DataBuffer.Regions { DataBuffer(self).regions }
}

/// The bytes of a region are always contiguous.
extension DataBuffer.Region: ContiguousBytes {}

extension DataBuffer.Region: DataProtocol {
  /// The region itself.
  public var regions: CollectionOfOne<DataBuffer.Region> { CollectionOfOne(self) }
}
