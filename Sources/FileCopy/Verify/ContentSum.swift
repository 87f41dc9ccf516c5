import CIOChannelsHash
import IOChannelsEngine
import IOChannelsSystem

/// An XXH3 sum of 128 bits over bytes that come one after the other, and their number.
@safe
final class ContentSum {
  /// A finished sum.
  struct Value: Hashable {
    var low: UInt64
    var high: UInt64
    var count: Int64
  }

  private let state: OpaquePointer
  private var count: Int64 = 0

  /// How much of a file is read at a time.
  private static let chunk = 1 << 20
  /// What offsets are multiples of where transfers pass the page cache.
  private static let alignment: Int64 = 4096

  /// Begins a sum over nothing.
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

  /// What the sum is so far.
  var value: Value {
    let digest = unsafe XXH3_128bits_digest(state)
    return Value(low: digest.low64, high: digest.high64, count: count)
  }

  /// Adds bytes.
  func add(_ bytes: RawSpan) {
    count += Int64(bytes.byteCount)
    unsafe bytes.withUnsafeBytes { buffer in
      _ = unsafe XXH3_128bits_update(state, buffer.baseAddress, buffer.count)
    }
  }

  /// Adds the first `limit` bytes of a file, whether reads bypass the page cache or not.
  ///
  /// `goesOn` is asked before each part; false ends the reading early.
  func add(
    _ file: BorrowedDescriptor,
    upTo limit: Int64 = .max,
    while goesOn: () -> Bool
  ) throws(SystemError) {
    guard let buffer = BufferPool.shared.makeBuffer(atLeast: ContentSum.chunk) else {
      throw .noMemory
    }
    let bypassesCache = try file.statusFlags().contains(.direct)
    var offset: Int64 = 0
    while offset < limit, goesOn() {
      let memory = unsafe UnsafeMutableRawBufferPointer(
        start: buffer.start,
        count: ContentSum.chunk
      )
      var span = unsafe MutableRawSpan(_unsafeBytes: memory)
      let read: Int
      do throws(SystemError) {
        read = try file.read(into: &span, at: offset)
      } catch .invalidArgument where bypassesCache && offset % ContentSum.alignment != 0 {
        // Only the end of a file is off the alignment, where that is demanded. Where it is not, as
        // on FUSE, a short read need not be the last.
        return
      }
      let part = min(read, Int(clamping: limit - offset))
      unsafe add(RawSpan(_unsafeBytes: UnsafeRawBufferPointer(rebasing: memory[..<part])))
      offset += Int64(read)
      if read == 0 { return }
    }
  }
}
