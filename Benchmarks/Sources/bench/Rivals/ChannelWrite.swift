import IOChannels

/// A writer through an `IOChannel`.
enum ChannelWrite {
  /// Writes `count` bytes in buffers that share their memory, and submits all of them at once.
  static func stream(_ descriptor: Int32, _ data: DataBuffer, count: Int) throws -> Int {
    try Tally.ofChannel(.stream, descriptor) { channel, queue, tally in
      for _ in 0..<count / data.count {
        channel.write(offset: 0, data: data, queue: queue) { isDone, rest, error in
          guard isDone else { return }
          tally.bytes += data.count - (rest?.count ?? 0)
          if error != 0 { tally.error = error }
        }
      }
      channel.close()
    }
  }

  /// Writes blocks all over a file, `inFlight` at a time.
  static func random(
    _ descriptor: Int32,
    _ data: DataBuffer,
    count: Int,
    inFlight: Int
  ) throws -> Int {
    let blocks = count / data.count
    return try Tally.ofChannel(.random, descriptor) { channel, queue, tally in
      @Sendable func start(_ index: Int) {
        let offset = StreamWrite.offset(of: index, blocks: blocks)
        channel.write(offset: offset, data: data, queue: queue) { isDone, rest, error in
          guard isDone else { return }
          tally.bytes += data.count - (rest?.count ?? 0)
          if error != 0 { tally.error = error }
          tally.end(index, of: blocks, inFlight: inFlight, start: start) { channel.close() }
        }
      }
      for index in 0..<min(inFlight, blocks) { start(index) }
    }
  }
}
