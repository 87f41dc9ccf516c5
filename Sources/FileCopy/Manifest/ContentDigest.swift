import IOChannelsSystem

/// The checksum of a file for a manifest, to which the bytes are added in their order.
final class ContentDigest {
  private enum Sum {
    case fast(ContentSum)
    case cryptographic(CryptographicSum)
  }

  let algorithm: ChecksumAlgorithm
  /// The number of bytes that were added.
  private(set) var count: Int64 = 0
  private let sum: Sum

  /// The maximum number of zeros that are added at a time.
  private static let zeroLimit: Int64 = 64 << 10

  /// Creates the checksum of an empty file; nil if the algorithm cannot be used.
  init?(_ algorithm: ChecksumAlgorithm) {
    self.algorithm = algorithm
    switch algorithm {
    case .xxh128: sum = .fast(ContentSum())
    case .sha256, .blake2b:
      guard let sum = CryptographicSum(algorithm) else { return nil }
      self.sum = .cryptographic(sum)
    }
  }

  /// Adds the next bytes.
  func add(_ bytes: RawSpan) {
    count += Int64(bytes.byteCount)
    switch sum {
    case .fast(let sum): sum.add(bytes)
    case .cryptographic(let sum): sum.add(bytes)
    }
  }

  /// Adds zeros of a hole that ends at an offset, at most 64 KiB of them.
  func addZeros(upTo end: Int64) {
    if end <= count { return }
    let zeros = PageBuffer(count: Int(min(end - count, ContentDigest.zeroLimit)))
    add(zeros.bytes(0..<zeros.count))
  }

  /// Returns the checksum. No bytes may be added afterwards.
  func finish() -> [UInt8] {
    switch sum {
    case .fast(let sum): sum.value.bytes
    case .cryptographic(let sum): sum.finish()
    }
  }
}

extension ContentSum.Value {
  /// The bytes of the checksum, as `xxhsum` prints them.
  fileprivate var bytes: [UInt8] {
    [high, low].flatMap { part in
      (0..<8).reversed().map { UInt8(truncatingIfNeeded: part >> (8 * UInt64($0))) }
    }
  }
}
