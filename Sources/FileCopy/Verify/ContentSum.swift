import CIOChannelsHash
import IOChannelsEngine
import IOChannelsSystem

/// A 128-bit XXH3 checksum of a sequence of bytes, and their number.
@safe
final class ContentSum {
  /// The value of a checksum.
  struct Value: Hashable {
    var low: UInt64
    var high: UInt64
    var count: Int64
  }

  private let state: OpaquePointer
  private var count: Int64 = 0

  /// The number of bytes that are read at a time.
  private static let chunk: Int64 = 1 << 20
  /// The alignment of offsets and lengths for direct I/O.
  static let alignment: Int64 = 4096

  /// Creates the checksum of an empty sequence.
  init() {
    guard let state = unsafe XXH3_createState() else {
      preconditionFailure("There is no memory for a sum of half a kilobyte.")
    }
    unsafe self.state = state
    _ = unsafe XXH3_128bits_reset(state)
  }

  deinit {
    _ = unsafe XXH3_freeState(state)
  }

  /// The checksum of the bytes that were added so far.
  var value: Value {
    let digest = unsafe XXH3_128bits_digest(state)
    return Value(low: digest.low64, high: digest.high64, count: count)
  }

  /// Returns a hash of bytes that is the same on every machine.
  static func hash(_ bytes: [UInt8]) -> UInt64 {
    unsafe bytes.withUnsafeBytes { buffer in unsafe XXH3_64bits(buffer.baseAddress, buffer.count) }
  }

  /// Adds bytes.
  func add(_ bytes: RawSpan) {
    count += Int64(bytes.byteCount)
    unsafe bytes.withUnsafeBytes { buffer in
      _ = unsafe XXH3_128bits_update(state, buffer.baseAddress, buffer.count)
    }
  }

  /// Adds a range of a file, see ``read(_:_:while:_:)``.
  func add(
    _ file: BorrowedDescriptor,
    _ range: Range<Int64>,
    while shouldContinue: () -> Bool
  ) throws(SystemError) {
    try ContentSum.read(file, range, while: shouldContinue) { bytes in add(bytes) }
  }

  /// Reads a range of a file in the order of its bytes, whether reads bypass the page cache or not.
  ///
  /// The range begins at an aligned offset. `shouldContinue` is called before each read. If it
  /// returns false, the reading ends early.
  static func read(
    _ file: BorrowedDescriptor,
    _ range: Range<Int64>,
    while shouldContinue: () -> Bool,
    _ body: (RawSpan) -> Void
  ) throws(SystemError) {
    guard let buffer = BufferPool.shared.makeBuffer(atLeast: Int(ContentSum.chunk)) else {
      throw .noMemory
    }
    var bypassesCache = try file.statusFlags().contains(.direct)
    var offset = range.lowerBound
    while offset < range.upperBound, shouldContinue() {
      // The kernel reads no block that ends after the largest offset, so that the last block of the
      // longest file cannot bypass the page cache.
      let room = Int(Int64.max - offset)
      let length = ContentSum.readLength(for: range.upperBound - offset)
      if length > room && bypassesCache {
        try file.setStatusFlags(file.statusFlags().subtracting(.direct))
        bypassesCache = false
      }
      let memory = unsafe UnsafeMutableRawBufferPointer(
        start: buffer.start,
        count: min(length, room)
      )
      var span = unsafe MutableRawSpan(_unsafeBytes: memory)
      let read: Int
      do throws(SystemError) {
        read = try file.read(into: &span, at: offset)
      } catch .invalidArgument where bypassesCache && offset % ContentSum.alignment != 0 {
        // With required alignment, only the end of a file is an unaligned offset. Without it, as on
        // FUSE, a short read need not be the last one.
        return
      }
      let part = min(read, Int(clamping: range.upperBound - offset))
      unsafe body(RawSpan(_unsafeBytes: UnsafeRawBufferPointer(rebasing: memory[..<part])))
      offset += Int64(read)
      if read == 0 { return }
    }
  }

  /// Returns the number of bytes to read at a time while `rest` bytes are left, at least one.
  private static func readLength(for rest: Int64) -> Int {
    if rest >= chunk { return Int(chunk) }
    return Int((rest + alignment - 1) / alignment * alignment)
  }
}
