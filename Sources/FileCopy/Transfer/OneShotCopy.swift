import IOChannelsSystem

extension FilePair {
  /// Copies a file that probably fits into the buffer, with one read and one write.
  ///
  /// The length in the status is only an estimate, because files that the kernel generates report a
  /// wrong one. A longer or shorter file is read until a read returns no bytes.
  ///
  /// The buffer is longer than the largest file that is copied this way. So one short read shows
  /// the end of the file, on file systems where only the last read is short.
  func copyOneShot(_ buffer: inout PageBuffer) throws(DataFailure) -> Int64 {
    var total: Int64 = 0
    while true {
      let count = try copyChunk(&buffer, upTo: limit - total, at: total)
      total += Int64(count)
      let isComplete = total == status.size && count < buffer.count && !mayReadShort
      if count == 0 || isComplete { return total }
    }
  }

  /// Copies until a read returns no bytes, without regard to the length in the status.
  func copyStream(_ buffer: inout PageBuffer) throws(DataFailure) -> Int64 {
    var total = start
    while true {
      let count = try copyChunk(&buffer, upTo: min(limit - total, step ?? .max), at: total)
      if count == 0 { return total }
      total += Int64(count)
    }
  }

  /// Waits until a FIFO or device is readable. Ends the wait if the copy is being stopped.
  private func waitForBytes() throws(DataFailure) {
    while !source.waitUntilReadable(milliseconds: 100) { try throwIfStopping() }
  }

  /// Reads at most `room` bytes once, and writes all of them. `position` bytes were copied before.
  ///
  /// - Returns: The number of bytes; 0 at the end of the source.
  func copyChunk(
    _ buffer: inout PageBuffer,
    upTo room: Int64,
    at position: Int64
  ) throws(DataFailure) -> Int {
    try throwIfStopping()
    if room == 0 { return 0 }
    if status.kind != .regular { try waitForBytes() }
    let count = try withBytes(&buffer, upTo: room, at: position, usesFilePosition: true) {
      (bytes) throws(DataFailure) in
      try write(bytes)
      sum?.add(bytes)
      try addToDigest(bytes, at: position)
    }
    try dropper?.advance(to: position + Int64(count))
    progress.count(bytes: Int64(count))
    try pace(Int64(count), to: position + Int64(count))
    return count
  }
}
