import DataRegionsFoundation

extension DataBuffer.Region {
  /// Where the bytes lie.
  var address: UInt { unsafe UInt(bitPattern: start) }
}

extension Data {
  /// Where the bytes lie.
  var address: UInt { unsafe withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } }

  /// Shows a region or a buffer, never to be changed while another value shows it too.
  static func sharing(_ region: DataBuffer.Region) -> Data { unsafe Data(bytesNoCopy: region) }
  static func sharing(_ buffer: DataBuffer) -> Data { unsafe Data(bytesNoCopy: buffer) }

  /// Memory of its own whose end is counted.
  static func counted(_ bytes: [UInt8], by ends: Ends) -> Data {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    unsafe memory.copyBytes(from: bytes)
    guard let start = memory.baseAddress else { return Data() }
    return unsafe Data(
      bytesNoCopy: start,
      count: bytes.count,
      deallocator: .custom { start, _ in
        unsafe start.deallocate()
        ends.countOne()
      }
    )
  }
}

extension DataBuffer {
  /// One region whose end is counted.
  static func counted(_ bytes: [UInt8], by ends: Ends) -> DataBuffer {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    unsafe memory.copyBytes(from: bytes)
    return unsafe DataBuffer(
      bytesNoCopy: UnsafeRawBufferPointer(memory),
      deallocator: .custom { memory in
        unsafe memory.deallocate()
        ends.countOne()
      }
    )
  }
}

/// What a `DataProtocol` copies into memory of `room` bytes that were 99 before.
func copied(
  room: Int,
  _ copy: (UnsafeMutableRawBufferPointer) -> Int
) -> Copied {
  var target = [UInt8](repeating: 99, count: room)
  let count = unsafe target.withUnsafeMutableBytes { unsafe copy($0) }
  return Copied(count: count, bytes: target)
}

/// What a `DataProtocol` copies into `room` numbers of 16 bits that were 99 before.
func copiedAsWords(
  room: Int,
  _ copy: (UnsafeMutableBufferPointer<UInt16>) -> Int
) -> Copied {
  var target = [UInt16](repeating: 99, count: room)
  let count = unsafe target.withUnsafeMutableBufferPointer { unsafe copy($0) }
  return Copied(count: count, bytes: target.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] })
}

/// The same forms, called on a buffer as such: its own members and those of the protocol.
func ownCopies(of data: DataBuffer, room: Int, from range: Range<Int>) -> [Copied] {
  unsafe [
    copied(room: room) { unsafe data.copyBytes(to: $0) },
    copied(room: room) { unsafe data.copyBytes(to: $0, count: range.count) },
    copied(room: room) { unsafe data.copyBytes(to: $0, from: range) },
    copied(room: room) { unsafe data.copyBytes(to: $0, from: range.lowerBound...) },
    copiedAsWords(room: room) { unsafe data.copyBytes(to: $0) },
    copiedAsWords(room: room) { unsafe data.copyBytes(to: $0, count: range.count) },
    copiedAsWords(room: room) { unsafe data.copyBytes(to: $0, from: range) },
  ]
}

/// What was copied and what was left alone.
struct Copied: Equatable {
  let count: Int
  let bytes: [UInt8]
}

/// All forms of copying that the protocol has.
func copies<Bytes: DataProtocol>(
  of data: Bytes,
  room: Int,
  from range: Range<Int>
) -> [Copied] where Bytes.Index == Int {
  let start = data.startIndex + range.lowerBound
  let shifted = start..<start + range.count
  return unsafe [
    copied(room: room) { unsafe data.copyBytes(to: $0) },
    copied(room: room) { unsafe data.copyBytes(to: $0, count: range.count) },
    copied(room: room) { unsafe data.copyBytes(to: $0, from: shifted) },
    copied(room: room) { unsafe data.copyBytes(to: $0, from: start...) },
    copiedAsWords(room: room) { unsafe data.copyBytes(to: $0) },
    copiedAsWords(room: room) { unsafe data.copyBytes(to: $0, count: range.count) },
    copiedAsWords(room: room) { unsafe data.copyBytes(to: $0, from: shifted) },
  ]
}
