import Glibc

@testable import DataRegions

extension DataBuffer.Region {
  /// Where the bytes lie.
  var address: UInt { unsafe UInt(bitPattern: start) }

  /// What `withUnsafeBytes` shows.
  var shownBytes: [UInt8] { unsafe withUnsafeBytes { unsafe Array($0) } }
}

extension DataBuffer {
  /// What `withUnsafeBytes` shows, and where.
  var shownBytes: (address: UInt, bytes: [UInt8]) {
    unsafe withUnsafeBytes { unsafe (UInt(bitPattern: $0.baseAddress), Array($0)) }
  }

  /// Copies into memory of `room` bytes that were 99 before.
  func copied(room: Int, from range: Range<Int>? = nil) -> (count: Int, bytes: [UInt8]) {
    var target = [UInt8](repeating: 99, count: room)
    let count = unsafe target.withUnsafeMutableBytes { unsafe copyBytes(to: $0, from: range) }
    return (count, target)
  }

  /// Copies bytes by way of a pointer.
  static func copying(pointerTo bytes: [UInt8]) -> DataBuffer {
    unsafe bytes.withUnsafeBytes { unsafe DataBuffer(bytes: $0) }
  }

  /// Copies bytes by way of a span.
  static func copying(spanOf bytes: [UInt8]) -> DataBuffer {
    unsafe DataBuffer(bytes: bytes.span.bytes)
  }

  /// Appends bytes by way of a span.
  mutating func append(spanOf bytes: [UInt8]) {
    unsafe append(bytes: bytes.span.bytes)
  }

  /// Copies over the start of a span of bytes.
  func copy(over target: inout [UInt8], from range: Range<Int>) -> Int {
    var span = target.mutableSpan
    var bytes = unsafe span.mutableBytes
    return copyBytes(to: &bytes, from: range)
  }

  /// Appends bytes by way of a pointer.
  mutating func append(pointerTo bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe append($0) }
  }
}

extension DataBuffer {
  /// Bytes in memory that is never given back.
  static func lasting(_ bytes: [UInt8]) -> DataBuffer {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    unsafe memory.copyBytes(from: bytes)
    return unsafe DataBuffer(bytesNoCopy: UnsafeRawBufferPointer(memory), deallocator: .none)
  }

  /// A buffer that claims to have `count` bytes, none of which may be read.
  static func unreadable(_ count: Int) -> DataBuffer {
    let start = unsafe UnsafeRawPointer(bitPattern: 4096)
    return unsafe DataBuffer(
      bytesNoCopy: UnsafeRawBufferPointer(start: start, count: count),
      deallocator: .none
    )
  }
}

extension DataBuffer {
  /// Makes a buffer that has memory unmapped that starts behind the start of a page.
  static func unmapping(oneBehind page: UInt) {
    let start = unsafe UnsafeRawPointer(bitPattern: page + 1)
    let memory = unsafe UnsafeRawBufferPointer(start: start, count: 1)
    _ = unsafe DataBuffer(bytesNoCopy: memory, deallocator: .unmap)
  }
}

extension DataBuffer {
  /// Where the last node of the tree lies.
  var lastLeafAddress: UInt {
    guard case .tree(var tree) = storage else { return 0 }
    while case .branch(let children) = tree.content { tree = children[children.count - 1] }
    guard case .leaf(let pieces) = tree.content else { return 0 }
    return unsafe pieces.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
  }
}

extension Sequence<UInt8> {
  /// What the sequence copies into offered memory of `room` bytes, and what it leaves over.
  func copiedContents(room: Int) -> [[UInt8]] {
    let target = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: room)
    defer { unsafe target.deallocate() }
    let (rest, count) = unsafe _copyContents(initializing: target)
    return unsafe [Array(target[..<count]), Array(IteratorSequence(rest))]
  }
}

extension RegionOwner {
  /// Copies bytes to an offset of the memory.
  func copy(_ bytes: [UInt8], at offset: Int) {
    unsafe all.copy(bytes.span.bytes, at: offset)
  }
}

/// Whether a page is mapped: `msync` refuses addresses that are not.
func isMapped(_ page: UInt) -> Bool {
  unsafe msync(UnsafeMutableRawPointer(bitPattern: page), 4096, MS_ASYNC) == 0
}

extension Sequence<UInt8> {
  /// The bytes, when the sequence says that they lie in one place.
  var contiguousBytes: [UInt8]? {
    withContiguousStorageIfAvailable { unsafe Array($0) }
  }
}
