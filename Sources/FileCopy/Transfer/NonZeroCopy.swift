import IOChannelsSystem

extension FilePair {
  /// The length of the blocks that are checked for zeros, which is the minimum length of a hole.
  private static var holeLength: Int { 4096 }

  /// Copies until a read returns no bytes, and skips blocks that hold only zeros.
  ///
  /// The destination must be an empty regular file. Holes of the source are not read.
  ///
  /// - Returns: The length of the file.
  func copyNonZero(_ buffer: inout PageBuffer) throws(DataFailure) -> Int64 {
    // Some file systems preallocate space for a growing file, and would keep it in place of holes.
    let isLengthKnown = status.kind == .regular && status.size > 0
    if isLengthKnown { try setDestinationSize(status.size) }
    var position: Int64 = 0
    /// The end of the last write.
    var written: Int64 = 0
    while true {
      try throwIfStopping()
      let start = position
      position = nextDataPosition(from: position)
      if position >= limit { break }
      let count = try fill(&buffer, at: position)
      if count == 0 { break }
      // A FIFO or device cannot be read a second time, so its checksum is computed now. It has no
      // holes, which this read would skip.
      if status.kind != .regular { sum?.add(buffer.bytes(0..<count)) }
      try addToDigest(buffer.bytes(0..<count), at: position)
      var next = 0
      while let range = FilePair.nonZero(buffer.span, next..<count) {
        let offset = position + Int64(range.lowerBound)
        if !isLengthKnown { freeHole(written..<offset) }
        try write(buffer.bytes(range), at: offset)
        next = range.upperBound
        written = position + Int64(next)
      }
      position += Int64(count)
      progress.count(bytes: position - start)
      try pace(Int64(count), to: position)
    }
    try addHoleToDigest(upTo: position)
    try setDestinationSize(position)
    if !isLengthKnown { freeHole(written..<position) }
    return position
  }

  /// Frees the blocks that the file system preallocated in a hole. A refusal does no harm.
  private func freeHole(_ range: Range<Int64>) {
    if range.isEmpty { return }
    let length = range.upperBound - range.lowerBound
    try? destination.allocate([.keepSize, .hole], offset: range.lowerBound, length: length)
  }

  /// Returns the next blocks of a range that are not all zeros; nil if there are none.
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
    // In most blocks that are not all zeros, the first byte is not zero.
    if bytes[range.lowerBound] != 0 { return false }
    let block = bytes.extracting(range)
    var all: UInt8 = 0
    for index in block.indices { all |= block[index] }
    return all == 0
  }

  /// Returns the position of the next data, or `position` itself if that is unknown.
  private func nextDataPosition(from position: Int64) -> Int64 {
    guard status.kind == .regular, status.isSparse else { return position }
    do throws(SystemError) {
      // After the last data, only bytes that were appended meanwhile may follow.
      guard let start = try source.nextData(from: position) else {
        return endsEarly(after: position) ? position : max(position, status.size)
      }
      return max(position, start - start % Int64(FilePair.holeLength))
    } catch {
      return position
    }
  }

  /// Reads until the buffer is full or the source ends.
  ///
  /// A pipe returns only a few bytes at a time.
  private func fill(_ buffer: inout PageBuffer, at position: Int64) throws(DataFailure) -> Int {
    if status.kind == .regular {
      return try read(into: &buffer, upTo: limit - position, at: position)
    }
    let room = min(buffer.count, Int(clamping: limit - position))
    var count = 0
    while count < room {
      let more = try attempt(.reading, try source.read(into: &buffer, count..<room))
      if more == 0 { break }
      count += more
    }
    return count
  }

  /// Sets the length of the destination; added bytes are a hole.
  func setDestinationSize(_ size: Int64) throws(DataFailure) {
    try attempt(.resizing, try destination.setSize(size))
  }
}
