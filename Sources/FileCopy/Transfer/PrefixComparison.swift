import IOChannelsSystem

/// The comparison of a file with its source, from their start up to the first difference.
struct PrefixComparison {
  let files: FilePair

  /// Returns the number of bytes at the start that are equal, to the precision of a buffer.
  ///
  /// They are added to the checksums of the copy.
  func equalLength(_ buffer: inout PageBuffer) throws(DataFailure) -> Int64 {
    var other = PageBuffer(count: buffer.count)
    let room = min(buffer.count, other.count)
    var position: Int64 = 0
    while true {
      try files.throwIfStopping()
      let count = try read(files.destination, &other, room, at: position)
      if count == 0 { return position }
      guard try read(files.source, &buffer, count, at: position) == count,
        PrefixComparison.areEqual(buffer.span, other.span, count)
      else { return position }
      files.sum?.add(buffer.bytes(0..<count))
      files.digest?.add(buffer.bytes(0..<count))
      position += Int64(count)
    }
  }

  private func read(
    _ file: BorrowedDescriptor,
    _ buffer: inout PageBuffer,
    _ count: Int,
    at position: Int64
  ) throws(DataFailure) -> Int {
    do throws(SystemError) {
      return try file.read(into: &buffer, count: count, at: position)
    } catch {
      throw DataFailure(side: .reading, error: error)
    }
  }

  /// Whether two buffers have the same first bytes.
  private static func areEqual(_ one: Span<UInt8>, _ other: Span<UInt8>, _ count: Int) -> Bool {
    let first = one.extracting(0..<count)
    let second = other.extracting(0..<count)
    var difference: UInt8 = 0
    for index in first.indices { difference |= first[index] ^ second[index] }
    return difference == 0
  }
}
