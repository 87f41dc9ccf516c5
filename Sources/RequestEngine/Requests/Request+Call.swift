import DataRegions
import SystemCalls

extension Request {
  /// Carries the transfer out with one plain call on this thread.
  ///
  /// `waits` says whether the call may wait for a peer; else the answer is `EAGAIN`. At most
  /// `limit` bytes are written.
  func call(waits: Bool, limit: Int = .max) -> TransferResult {
    while true {
      do throws(Errno) {
        switch transfer {
        case .read(let buffer, let range):
          return .success(
            try buffer.read(from: descriptor, into: range, at: offset, waits: waits)
          )
        case .write(let data):
          let part = data.count > limit ? data.subdata(in: 0..<limit) : data
          return .success(try VectorList(part).write(to: descriptor, at: offset, waits: waits))
        }
      } catch {
        // Every turn is one signal, and the threads of the engine block all that can be blocked.
        if error != .interrupted { return .failure(error) }
      }
    }
  }
}
