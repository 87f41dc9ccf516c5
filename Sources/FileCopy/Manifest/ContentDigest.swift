import IOChannelsSystem

/// The checksum of a file for a manifest, to which the bytes are added in their order.
final class ContentDigest {
  private enum Sum {
    case xxh128(ContentSum)
    case sha256(SHA256Sum)
    case blake2b(BLAKE2bSum)
  }

  let algorithm: ChecksumAlgorithm
  /// The number of bytes that were added.
  private(set) var count: Int64 = 0
  private let sum: Sum

  /// The maximum number of zeros that are added at a time.
  private static let zeroLimit: Int64 = 64 << 10

  /// Creates the checksum of an empty file.
  init(_ algorithm: ChecksumAlgorithm) {
    self.algorithm = algorithm
    switch algorithm {
    case .xxh128: sum = .xxh128(ContentSum())
    case .sha256: sum = .sha256(SHA256Sum())
    case .blake2b: sum = .blake2b(BLAKE2bSum())
    }
  }

  /// Adds the next bytes.
  func add(_ bytes: RawSpan) {
    count += Int64(bytes.byteCount)
    switch sum {
    case .xxh128(let sum): sum.add(bytes)
    case .sha256(let sum): sum.add(bytes)
    case .blake2b(let sum): sum.add(bytes)
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
    case .xxh128(let sum): sum.value.bytes
    case .sha256(let sum): sum.finish()
    case .blake2b(let sum): sum.finish()
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
