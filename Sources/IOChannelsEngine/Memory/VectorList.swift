import CIOChannelsSystem
import DataRegions
import IOChannelsSystem

/// The addresses and lengths of a value's regions (`iovec`).
///
/// The list keeps the value, and with it the memory, as long as the kernel may use it.
@safe
final class VectorList {
  private let data: DataBuffer
  let vectors: UnsafeMutablePointer<csys_vector>
  let count: Int

  init(_ data: DataBuffer) {
    self.data = data
    let regions = data.regions.prefix(Request.regionLimit)
    count = regions.count
    unsafe vectors = .allocate(capacity: count)
    for (index, region) in regions.enumerated() {
      unsafe (vectors + index).initialize(
        to: csys_vector(
          bytes: UnsafeMutableRawPointer(mutating: region.start),
          count: region.count
        )
      )
    }
  }

  deinit {
    unsafe vectors.deallocate()
  }

  /// Writes the bytes with one call.
  ///
  /// Without `offset` it writes at the file position. A call that must not block throws `EAGAIN`
  /// instead.
  func write(
    to descriptor: BorrowedDescriptor,
    at offset: Int64?,
    _ flags: TransferFlags
  ) throws(SystemError) -> Int {
    let call = unsafe flags.isQuiet ? csys_pwritev2_quiet : csys_pwritev2
    let result = unsafe call(
      descriptor.rawValue,
      vectors,
      Int32(count),
      offset ?? -1,
      flags.rawValue
    )
    if result.error != 0 { throw SystemError(rawValue: result.error) }
    return Int(result.value)
  }
}

extension PooledBuffer {
  /// Reads into a part of the buffer with one call.
  ///
  /// Without `offset` it reads at the file position. A call that must not block throws `EAGAIN`
  /// instead.
  func read(
    from descriptor: BorrowedDescriptor,
    into range: Range<Int>,
    at offset: Int64?,
    _ flags: TransferFlags
  ) throws(SystemError) -> Int {
    var vector = unsafe csys_vector(bytes: start + range.lowerBound, count: range.count)
    let result = unsafe csys_preadv2(
      descriptor.rawValue,
      &vector,
      1,
      offset ?? -1,
      flags.rawValue
    )
    if result.error != 0 { throw SystemError(rawValue: result.error) }
    return Int(result.value)
  }
}
