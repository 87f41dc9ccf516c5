import IOChannels

/// Our way of writing.
enum ChannelWrite {
  /// What the handlers count; they run one after the other on a serial queue.
  private final class Count: @unchecked Sendable {
    var bytes = 0
    var ended = 0
    var error: Errno?
  }

  /// Hands over `count` bytes in buffers that share their memory, all at once.
  static func stream(_ descriptor: Int32, _ data: DataBuffer, count: Int) throws -> Int {
    let queue = WorkQueue(label: "write")
    let seen = Count()
    let done = WorkGroup()
    done.enter()
    let channel = IOChannel(kind: .stream, fileDescriptor: descriptor, queue: queue) { _ in
      done.leave()
    }
    for _ in 0..<count / data.count {
      channel.write(offset: 0, data: data, queue: queue) { isDone, rest, error in
        guard isDone else { return }
        seen.bytes += data.count - (rest?.count ?? 0)
        if let error { seen.error = error }
      }
    }
    channel.close()
    done.wait()
    if let error = seen.error { throw CommandFailure(description: "IOChannel: \(error)") }
    return seen.bytes
  }

  /// Writes blocks all over a file, so many at a time; whoever ends one starts the next.
  static func random(
    _ descriptor: Int32,
    _ data: DataBuffer,
    count: Int,
    inFlight: Int
  ) throws -> Int {
    let queue = WorkQueue(label: "write")
    let seen = Count()
    let done = WorkGroup()
    done.enter()
    let channel = IOChannel(kind: .random, fileDescriptor: descriptor, queue: queue) { _ in
      done.leave()
    }
    let blocks = count / data.count
    @Sendable func start(_ index: Int) {
      let offset = StreamWrite.offset(of: index, blocks: blocks)
      channel.write(offset: offset, data: data, queue: queue) { isDone, rest, error in
        guard isDone else { return }
        seen.bytes += data.count - (rest?.count ?? 0)
        if let error { seen.error = error }
        seen.ended += 1
        if index + inFlight < blocks { start(index + inFlight) }
        if seen.ended == blocks { channel.close() }
      }
    }
    for index in 0..<min(inFlight, blocks) { start(index) }
    done.wait()
    if let error = seen.error { throw CommandFailure(description: "IOChannel: \(error)") }
    return seen.bytes
  }
}
