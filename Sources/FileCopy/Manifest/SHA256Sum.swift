import CIOChannelsCrypto

/// A SHA-256 or BLAKE2b checksum of a sequence of bytes.
@safe
final class CryptographicSum {
  private let state: OpaquePointer
  private let byteCount: Int

  /// Whether the library can be used. It reads no configuration, which the user of the process
  /// could replace, and has no work when the process ends.
  private static let isPrepared: Bool = {
    let options = UInt64(OPENSSL_INIT_NO_LOAD_CONFIG | OPENSSL_INIT_NO_ATEXIT)
    return OPENSSL_init_crypto(options, nil) == 1
  }()

  /// Creates the checksum of an empty sequence.
  ///
  /// It is nil if there is no memory, the system does not permit the algorithm, or it is no
  /// cryptographic one.
  init?(_ algorithm: ChecksumAlgorithm) {
    guard algorithm != .xxh128, CryptographicSum.isPrepared,
      let state = unsafe EVP_MD_CTX_new()
    else { return nil }
    let function = unsafe algorithm == .sha256 ? EVP_sha256() : EVP_blake2b512()
    unsafe self.state = state
    byteCount = algorithm.byteCount
    guard unsafe EVP_DigestInit_ex(state, function, nil) == 1 else { return nil }
  }

  deinit {
    unsafe EVP_MD_CTX_free(state)
  }

  /// Adds bytes.
  func add(_ bytes: RawSpan) {
    unsafe bytes.withUnsafeBytes { buffer in
      _ = unsafe EVP_DigestUpdate(state, buffer.baseAddress, buffer.count)
    }
  }

  /// Returns the checksum. No bytes may be added afterwards.
  func finish() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: byteCount)
    unsafe bytes.withUnsafeMutableBytes { buffer in
      let start = unsafe buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
      _ = unsafe EVP_DigestFinal_ex(state, start, nil)
    }
    return bytes
  }
}
