import IOChannels
import QueueRuntime
import IOChannelsSystem
import IOChannelsTestSupport

/// What is done with the channels of pipes.
enum PipeWorks {
  private static let delivery = 64 << 10

  static var all: [Work] {
    [
      Work("64 KiB from pipe to pipe", atMost: 8, 100, 5, 9, count: 1_000) { count in
        try carry(count) { source, sink, queue in
          source.setLimit(lowWater: delivery)
          source.setLimit(highWater: delivery)
          source.read(offset: 0, length: count * delivery, queue: queue) { _, data, error in
            stop(if: error, "read of a pipe")
            guard let data, !data.isEmpty else { return }
            sink.write(offset: 0, data: data, queue: queue) { _, _, error in
              stop(if: error, "write to a pipe")
            }
          }
        }
      },
      Work("64 KiB by a relay", atMost: 6, 65, 5, 9, count: 1_000) { count in
        try carry(count) { source, sink, _ in
          try waitForTask { _ = try await source.relay(to: sink, count: count * delivery) }
        }
      },
    ]
  }

  /// One thread fills the first pipe and another one empties the second; their calls count, too.
  private static func carry(
    _ count: Int,
    _ start: (_ source: IOChannel, _ sink: IOChannel, WorkQueue) throws -> Void
  ) throws {
    let first = try PipeEnds()
    let second = try PipeEnds()
    let (queue, end) = (WorkQueue(label: "costs"), WorkGroup())
    let (filled, emptied) = (first.writing.borrowed, second.reading.borrowed)
    WorkQueue(label: "fill").async(group: end) {
      let bytes = [UInt8](repeating: 7, count: delivery)
      var sent = 0
      while sent < count * delivery {
        let start = sent % delivery
        guard let part = try? filled.write(bytes, start..<delivery), part > 0 else { return }
        sent += part
      }
    }
    WorkQueue(label: "empty").async(group: end) {
      var bytes = [UInt8](repeating: 0, count: delivery)
      var received = 0
      while received < count * delivery {
        guard let part = try? emptied.read(into: &bytes), part > 0 else { return }
        received += part
      }
    }
    try withChannel(.stream, first.reading, queue) { source in
      try withChannel(.stream, second.writing, queue) { sink in
        try start(source, sink, queue)
        end.wait()
      }
    }
  }
}
