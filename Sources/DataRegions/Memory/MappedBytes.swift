internal import IOChannelsSystem

/// The bytes of a mapped file.
@safe
final class MappedBytes: RegionOwner {
  private let mapping: FileMapping

  var start: UnsafeMutableRawPointer { unsafe mapping.start }
  var capacity: Int { mapping.count }
  var keptByteCount: Int { mapping.mappedByteCount }
  var kind: String { "mapped" }

  init(_ mapping: FileMapping) {
    self.mapping = mapping
  }
}
