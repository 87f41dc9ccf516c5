import IOChannelsSystem

extension FilePair {
  /// The least that becomes a hole.
  private static var holeLength: Int { 4096 }

  /// Copies until a read gives nothing, and leaves out what holds only zeros.
  ///
  /// The destination is an empty regular file. Holes of the source are not read.
  ///
  /// - Returns: The length of the file.
  func copyNonZero(_ buffer: inout PageBuffer) throws(DataFailure) -> Int64 {
    // Some file systems allocate ahead of a growing file, and would keep that for holes.
    if status.kind == .regular && status.size > 0 { try setDestinationSize(status.size) }
    var position: Int64 = 0
    while true {
      try mayGoOn()
      let start = position
      position = behindHole(position)
      if position >= limit { break }
      let count = try fill(&buffer, at: position)
      if count == 0 { break }
      // A FIFO or device cannot be read a second time, and has no holes that are passed over.
      if status.kind != .regular { sum?.add(buffer.bytes(0..<count)) }
      var next = 0
      while let range = FilePair.nonZero(buffer.span, next..<count) {
        try write(buffer.bytes(range), at: position + Int64(range.lowerBound))
        next = range.upperBound
      }
      position += Int64(count)
      monitor.count(bytes: position - start)
    }
    try setDestinationSize(position)
    return position
  }

  /// The next blocks of a range that hold more than zeros, nil when there are none.
  static func nonZero(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Range<Int>? {
    var start = range.lowerBound
    while start < range.upperBound, isZero(bytes, block(from: start, in: range)) {
      start = block(from: start, in: range).upperBound
    }
    if start == range.upperBound { return nil }
    var end = start
    while end < range.upperBound, !isZero(bytes, block(from: end, in: range)) {
      end = block(from: end, in: range).upperBound
    }
    return start..<end
  }

  private static func block(from start: Int, in range: Range<Int>) -> Range<Int> {
    start..<min(start + holeLength, range.upperBound)
  }

  private static func isZero(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    // Most blocks tell by their first byte.
    if bytes[range.lowerBound] != 0 { return false }
    let block = bytes.extracting(range)
    var all: UInt8 = 0
    for index in block.indices { all |= block[index] }
    return all == 0
  }

  /// Where the next data may be, which is the position itself where nobody knows.
  private func behindHole(_ position: Int64) -> Int64 {
    guard status.kind == .regular, status.isSparse else { return position }
    do throws(SystemError) {
      // Behind the last data only what was added meanwhile may follow.
      guard let start = try source.nextData(from: position) else {
        return endsEarly(behind: position) ? position : max(position, status.size)
      }
      return max(position, start - start % Int64(FilePair.holeLength))
    } catch {
      return position
    }
  }

  /// Reads until the buffer is full or the source ends, as a pipe gives a little at a time.
  private func fill(_ buffer: inout PageBuffer, at position: Int64) throws(DataFailure) -> Int {
    do throws(SystemError) {
      let room = min(buffer.count, Int(clamping: limit - position))
      if status.kind == .regular {
        return try source.read(into: &buffer, count: room, at: position)
      }
      var count = 0
      while count < room {
        let more = try source.read(into: &buffer, count..<room)
        if more == 0 { break }
        count += more
      }
      return count
    } catch {
      throw DataFailure(side: .reading, error: error)
    }
  }

  private func setDestinationSize(_ size: Int64) throws(DataFailure) {
    do throws(SystemError) {
      try destination.setSize(size)
    } catch {
      throw DataFailure(side: .resizing, error: error)
    }
  }
}
