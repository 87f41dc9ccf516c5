import Dispatch
import Foundation

/// A writer through a `DispatchIO`.
enum DispatchWrite {
  /// Creates bytes to write.
  static func data(_ count: Int) -> DispatchData {
    [UInt8](repeating: 7, count: count).withUnsafeBytes { DispatchData(bytes: $0) }
  }

  /// Writes `count` bytes in buffers that share their memory, and submits all of them at once.
  static func stream(_ descriptor: Int32, _ data: DispatchData, count: Int) throws -> Int {
    try Tally.ofDispatch(.stream, descriptor) { channel, queue, tally in
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
    _ shared: DispatchData,
    count: Int,
    inFlight: Int
  ) throws -> Int {
    // It is never changed, so it may be shared.
    nonisolated(unsafe) let data = shared
    let blocks = count / data.count
    return try Tally.ofDispatch(.random, descriptor) { channel, queue, tally in
      @Sendable func start(_ index: Int) {
        let offset = off_t(StreamWrite.offset(of: index, blocks: blocks))
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
