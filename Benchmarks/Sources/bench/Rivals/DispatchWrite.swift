import Dispatch
import Foundation

/// Dispatch's way of writing.
enum DispatchWrite {
  /// What the handlers count; they run one after the other on a serial queue.
  private final class Count: @unchecked Sendable {
    var bytes = 0
    var ended = 0
    var error: Int32 = 0
  }

  /// Bytes to write.
  static func data(_ count: Int) -> DispatchData {
    [UInt8](repeating: 7, count: count).withUnsafeBytes { DispatchData(bytes: $0) }
  }

  /// Hands over `count` bytes in buffers that share their memory, all at once.
  static func stream(_ descriptor: Int32, _ data: DispatchData, count: Int) throws -> Int {
    let queue = DispatchQueue(label: "write")
    let seen = Count()
    let done = DispatchSemaphore(value: 0)
    let channel = DispatchIO(type: .stream, fileDescriptor: descriptor, queue: queue) { _ in
      done.signal()
    }
    for _ in 0..<count / data.count {
      channel.write(offset: 0, data: data, queue: queue) { isDone, rest, error in
        guard isDone else { return }
        seen.bytes += data.count - (rest?.count ?? 0)
        if error != 0 { seen.error = error }
      }
    }
    channel.close()
    done.wait()
    guard seen.error == 0 else {
      throw CommandFailure(description: "DispatchIO: error \(seen.error)")
    }
    return seen.bytes
  }

  /// Writes blocks all over a file, so many at a time; whoever ends one starts the next.
  static func random(
    _ descriptor: Int32,
    _ shared: DispatchData,
    count: Int,
    inFlight: Int
  ) throws -> Int {
    let queue = DispatchQueue(label: "write")
    let seen = Count()
    let done = DispatchSemaphore(value: 0)
    let channel = DispatchIO(type: .random, fileDescriptor: descriptor, queue: queue) { _ in
      done.signal()
    }
    // It is never changed, so it may be shared.
    nonisolated(unsafe) let data = shared
    let blocks = count / data.count
    @Sendable func start(_ index: Int) {
      let offset = off_t(StreamWrite.offset(of: index, blocks: blocks))
      channel.write(offset: offset, data: data, queue: queue) { isDone, rest, error in
        guard isDone else { return }
        seen.bytes += data.count - (rest?.count ?? 0)
        if error != 0 { seen.error = error }
        seen.ended += 1
        if index + inFlight < blocks { start(index + inFlight) }
        if seen.ended == blocks { channel.close() }
      }
    }
    for index in 0..<min(inFlight, blocks) { start(index) }
    done.wait()
    guard seen.error == 0 else {
      throw CommandFailure(description: "DispatchIO: error \(seen.error)")
    }
    return seen.bytes
  }
}
