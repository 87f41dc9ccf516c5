import IOChannelsSystem

/// The comparison of a file with its source, from their start up to the first difference.
enum PrefixComparison {
  /// Returns the number of bytes at the start that are equal, to the precision of a buffer.
  ///
  /// They are added to the checksums of the copy, and leave the page cache if that is requested.
  static func equalLength(
    of files: borrowing FilePair,
    _ buffer: inout PageBuffer
  ) throws(DataFailure) -> Int64 {
    var other = PageBuffer(count: buffer.count)
    let room = min(buffer.count, other.count)
    var position: Int64 = 0
    while true {
      try files.throwIfStopping()
      let count = try attempt(
        .reading,
        try files.destination.read(into: &other, count: room, at: position)
      )
      if count == 0 { return position }
      guard try files.read(into: &buffer, upTo: Int64(count), at: position) == count,
        areEqual(buffer.span, other.span, count)
      else { return position }
      files.sum?.add(buffer.bytes(0..<count))
      files.digest?.add(buffer.bytes(0..<count))
      position += Int64(count)
      try files.dropper?.advance(to: position)
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

extension CopyItem {
  /// Returns the number of bytes at the start of both files that are equal; 0 if one of them cannot
  /// be read, so that the file is copied.
  ///
  /// - Throws: ``CopyProblem/stopped`` if the copy is being stopped.
  func equalLength(of files: borrowing FilePair) throws(CopyError) -> Int64 {
    do throws(DataFailure) {
      return try worker.withChunk(for: files) { chunk throws(DataFailure) in
        try PrefixComparison.equalLength(of: files, &chunk)
      }
    } catch {
      if error.side == .stopping { throw CopyError(error, self) }
      return 0
    }
  }
}
