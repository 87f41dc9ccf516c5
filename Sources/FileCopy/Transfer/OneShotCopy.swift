import IOChannelsSystem

extension FilePair {
  /// Copies a file that probably fits into the buffer: one read and one write.
  ///
  /// The length in the status is only a guess, for the kernel's own files lie about it: what is
  /// longer or shorter is read until a read gives nothing. The buffer is at least one byte longer
  /// than the files it is for, so that one read tells that there is no more, where a read is short
  /// at the end only.
  func copyOneShot(_ buffer: inout PageBuffer) throws(DataFailure) -> Int64 {
    var total: Int64 = 0
    while true {
      let count = try pass(&buffer, upTo: limit - total)
      total += Int64(count)
      let isWhole = total == status.size && count < buffer.count && !mayReadShort
      if count == 0 || isWhole { return total }
    }
  }

  /// Copies until a read gives nothing, whatever the status says.
  func copyStream(_ buffer: inout PageBuffer) throws(DataFailure) -> Int64 {
    var total: Int64 = 0
    while true {
      let count = try pass(&buffer, upTo: limit - total)
      if count == 0 { return total }
      total += Int64(count)
    }
  }

  /// Waits for a FIFO or device in such a way that a copy which is stopped need not wait.
  private func waitForBytes() throws(DataFailure) {
    while !source.waitUntilReadable(milliseconds: 100) { try mayGoOn() }
  }

  /// One read of at most `room` bytes and the writes that belong to it.
  func pass(_ buffer: inout PageBuffer, upTo room: Int64) throws(DataFailure) -> Int {
    try mayGoOn()
    if room == 0 { return 0 }
    if status.kind != .regular { try waitForBytes() }
    let count = try read(into: &buffer, upTo: room)
    ahead?.moved(count)
    try write(buffer.bytes(0..<count))
    sum?.add(buffer.bytes(0..<count))
    try dropper?.moved(count)
    monitor.count(bytes: Int64(count))
    return count
  }
}
