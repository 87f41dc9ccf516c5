import Dispatch
import Foundation
import Measure

/// A reader through a `DispatchIO` with the default marks.
enum DispatchRead {
  static func stream(path: String, expecting count: Int) throws -> Timing {
    try timed(path: path, expecting: count) { descriptor in
      try Tally.ofDispatch(.stream, descriptor) { channel, queue, tally in
        channel.read(offset: 0, length: .max, queue: queue) { isDone, data, error in
          tally.bytes += data?.count ?? 0
          tally.error = error
          if isDone { channel.close() }
        }
      }
    }
  }

  /// Reads 4 KiB all over a file, `inFlight` at a time.
  static func random(path: String, count: Int, inFlight: Int) throws -> Timing {
    try timed(path: path, expecting: count * 4096) { descriptor in
      try Tally.ofDispatch(.random, descriptor) { channel, queue, tally in
        @Sendable func start(_ index: Int) {
          let offset = RandomRead.offset(of: index)
          channel.read(offset: off_t(offset), length: 4096, queue: queue) { isDone, data, error in
            tally.bytes += data?.count ?? 0
            if error != 0 { tally.error = error }
            guard isDone else { return }
            tally.end(index, of: count, inFlight: inFlight, start: start) { channel.close() }
          }
        }
        for index in 0..<min(inFlight, count) { start(index) }
      }
    }
  }
}
