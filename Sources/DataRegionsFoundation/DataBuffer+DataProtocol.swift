public import DataRegions
public import FoundationEssentials

/// A buffer of several regions has no place where all its bytes lie, so it is no
/// `ContiguousBytes`: its `withUnsafeBytes` would copy where nobody expects it.
extension DataBuffer: DataProtocol {}

extension DataBuffer.Slice: DataProtocol {
  /// The regions of the slice alone, whose offsets count from its start.
  public var regions: DataBuffer.Regions { DataBuffer(self).regions }
}

/// The bytes of a region always lie in one place.
extension DataBuffer.Region: ContiguousBytes {}

extension DataBuffer.Region: DataProtocol {
  /// The region itself.
  public var regions: CollectionOfOne<DataBuffer.Region> { CollectionOfOne(self) }
}
