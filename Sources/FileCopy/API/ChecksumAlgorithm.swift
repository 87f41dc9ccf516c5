/// The algorithm of the checksums in a manifest.
public enum ChecksumAlgorithm: String, Sendable, Hashable, CaseIterable {
  /// XXH3 with 128 bits, which finds errors but no forgeries.
  case xxh128
  /// SHA-256.
  case sha256
  /// BLAKE2b with 512 bits.
  case blake2b

  /// The number of bytes of a checksum.
  var byteCount: Int {
    switch self {
    case .xxh128: 16
    case .sha256: 32
    case .blake2b: 64
    }
  }

  /// Returns the algorithm whose checksums have a number of bytes; nil if there is none.
  init?(byteCount: Int) {
    guard let found = ChecksumAlgorithm.allCases.first(where: { $0.byteCount == byteCount }) else {
      return nil
    }
    self = found
  }
}
