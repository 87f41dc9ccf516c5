import DataRegions
import Dispatch

/// The members of Dispatch's data that take or pass pointers, and those with types of their own.
///
/// The conformances show that the buffer declares them as Dispatch does.
protocol PointerForms: RandomAccessCollection where Element == UInt8, Index == Int {
  static var empty: Self { get }
  init(bytes: UnsafeBufferPointer<UInt8>)
  init(bytes: UnsafeRawBufferPointer)
  subscript(bounds: Range<Int>) -> Slice<Self> { get }
  func subdata(in range: Range<Int>) -> Self
  func region(location: Int) -> (data: Self, offset: Int)
  func withUnsafeBytes<Result, Content>(
    body: (UnsafePointer<Content>) throws -> Result
  ) rethrows -> Result
  func enumerateBytes(_ block: (UnsafeBufferPointer<UInt8>, Int, inout Bool) -> Void)
  mutating func append(_ bytes: UnsafePointer<UInt8>, count: Int)
  mutating func append(_ bytes: UnsafeRawBufferPointer)
  mutating func append(_ other: Self)
  mutating func append<Source>(_ buffer: UnsafeBufferPointer<Source>)
  func copyBytes(to pointer: UnsafeMutablePointer<UInt8>, count: Int)
  func copyBytes(to pointer: UnsafeMutableRawBufferPointer, count: Int)
  func copyBytes(to pointer: UnsafeMutablePointer<UInt8>, from range: Range<Int>)
  func copyBytes<Destination>(
    to buffer: UnsafeMutableBufferPointer<Destination>,
    from range: Range<Int>?
  ) -> Int
}

extension DataBuffer: PointerForms {}
extension DispatchData: PointerForms {}

extension PointerForms {
  /// Data with a region for each array that is not empty.
  init(regions: [[UInt8]]) {
    self = .empty
    for region in regions { append(.copying(region)) }
  }

  static func copying(_ bytes: [UInt8]) -> Self {
    unsafe bytes.withUnsafeBytes { unsafe Self(bytes: $0) }
  }

  static func copying(typed bytes: [UInt8]) -> Self {
    unsafe bytes.withUnsafeBufferPointer { unsafe Self(bytes: $0) }
  }

  mutating func append(counted bytes: [UInt8]) {
    unsafe bytes.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return }
      unsafe append(start, count: bytes.count)
    }
  }

  mutating func append<Value>(values: [Value]) {
    unsafe values.withUnsafeBufferPointer { unsafe append($0) }
  }

  /// The bytes in a range, through a slice of the standard library.
  func sliced(_ range: Range<Int>) -> (indices: Range<Int>, bytes: [UInt8], whole: [UInt8]) {
    let slice: Slice<Self> = self[range]
    return (slice.startIndex..<slice.endIndex, Array(slice), Array(slice.base))
  }

  /// The bytes as values of another type, in contiguous memory.
  func values<Value>(of type: Value.Type) -> [Value] {
    unsafe withUnsafeBytes { (start: UnsafePointer<Value>) in
      unsafe Array(UnsafeBufferPointer(start: start, count: count / MemoryLayout<Value>.stride))
    }
  }

  /// The first `limit` regions that an enumeration passes.
  func enumerated(_ limit: Int = .max) -> [EnumeratedRegion] {
    var regions: [EnumeratedRegion] = []
    unsafe enumerateBytes { bytes, offset, stop in
      unsafe regions.append(EnumeratedRegion(offset: offset, bytes: Array(bytes)))
      stop = regions.count == limit
    }
    return regions
  }

  /// Copies `count` bytes to an address; the memory is 2 bytes longer and was 99 before.
  func copied(toAddress count: Int) -> [UInt8] {
    unsafe filled(count + 2) { unsafe copyBytes(to: $0, count: count) }
  }

  func copied(toAddressFrom range: Range<Int>) -> [UInt8] {
    unsafe filled(range.count + 2) { unsafe copyBytes(to: $0, from: range) }
  }

  func copied(toMemoryOf size: Int, count: Int) -> [UInt8] {
    unsafe filled(size) {
      unsafe copyBytes(to: UnsafeMutableRawBufferPointer(start: $0, count: size), count: count)
    }
  }

  /// Copies to memory of integers of 4 bytes each.
  func copied(toIntegers size: Int, from range: Range<Int>?) -> (count: Int, values: [UInt32]) {
    var target = [UInt32](repeating: 0x6363_6363, count: size)
    let count = unsafe target.withUnsafeMutableBufferPointer {
      unsafe copyBytes(to: $0, from: range)
    }
    return (count, target)
  }

  private func filled(_ size: Int, _ fill: (UnsafeMutablePointer<UInt8>) -> Void) -> [UInt8] {
    let target = UnsafeMutablePointer<UInt8>.allocate(capacity: size + 1)
    defer { unsafe target.deallocate() }
    unsafe target.initialize(repeating: 99, count: size + 1)
    unsafe fill(target)
    return unsafe Array(UnsafeBufferPointer(start: target, count: size))
  }
}

/// A region as an enumeration passes it.
struct EnumeratedRegion: Equatable {
  let offset: Int
  let bytes: [UInt8]
}

extension DataBuffer {
  /// A buffer of memory of the caller, which a function frees.
  static func showing(
    typed bytes: [UInt8],
    _ release: @escaping @Sendable (_ address: UInt, _ count: Int) -> Void
  ) -> (address: UInt, buffer: DataBuffer) {
    let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
    _ = unsafe memory.initialize(from: bytes)
    let buffer = unsafe DataBuffer(
      bytesNoCopy: UnsafeBufferPointer(memory),
      deallocator: .custom { memory in
        release(UInt(bitPattern: memory.baseAddress), memory.count)
        unsafe memory.deallocate()
      }
    )
    return (UInt(bitPattern: memory.baseAddress), buffer)
  }

  /// The address that a function gets for values of another type.
  func typedAddress<Value>(of type: Value.Type) -> UInt {
    unsafe withUnsafeBytes { (start: UnsafePointer<Value>) in UInt(bitPattern: start) }
  }

  /// Appends fewer than no bytes.
  func appendNegativeCount() {
    var buffer = self
    var byte: UInt8 = 0
    unsafe buffer.append(&byte, count: -1)
  }
}
