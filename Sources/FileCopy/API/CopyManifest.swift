/// A list of the copied files and their checksums, which a copy writes.
///
/// It has the format of `sha256sum`, `b2sum` and `xxhsum`. It lists regular files under all their
/// names, which are relative to the directory that sources are copied into. If the destination is
/// the name of the only source and that is a directory, they are relative to its copy.
///
/// The checksums are those of the bytes that were copied. A clone, and an existing file that is
/// kept, is read for its checksum. The list replaces an existing file at the end of the copy. A
/// copy that is stopped writes none.
public struct CopyManifest: Sendable, Hashable {
  /// The path of the list.
  public var path: BytePath
  /// The algorithm of the checksums.
  public var algorithm: ChecksumAlgorithm

  /// Creates a request for a list.
  public init(_ path: some BytePathConvertible, algorithm: ChecksumAlgorithm = .xxh128) {
    self.path = path.bytePath
    self.algorithm = algorithm
  }
}
