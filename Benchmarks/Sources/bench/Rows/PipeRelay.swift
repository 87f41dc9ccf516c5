import Dispatch
import Foundation
import IOChannels
import Measure

/// B8: the bytes of a pipe go into another one, in deliveries of 64 KiB or by a relay.
enum PipeRelay {
  private static let delivery = 64 << 10

  static let rows = [
    row("B8", rival: "DispatchIO", goal: 1.5, theirs),
    row("B8.loop", rival: "a loop of read and write on one thread", goal: 0.9, loop),
    row("B8.relay", way: "by relay(to:)", rival: "DispatchIO", goal: 1.8, ours: relay, theirs),
  ]

  private static func row(
    _ id: String,
    way: String = "deliveries of 64 KiB",
    rival: String,
    goal: Double,
    ours: @escaping @Sendable (Int32, Int32) -> Void = PipeRelay.ours,
    _ theirs: @escaping @Sendable (Int32, Int32) -> Void
  ) -> Row {
    Row(
      id: id,
      work: "1 GiB (quick: 256 MiB) from pipe to pipe, \(way), a thread at each far end",
      rival: rival,
      goal: goal,
      variation: .large
    ) { size in
      let count = size.count(quick: 256, full: 1024) << 20
      return Sides(
        ours: { try relayed(count, through: ours) },
        theirs: { try relayed(count, through: theirs) }
      )
    }
  }

  private static func pipePair() throws -> Pipe {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else {
      throw CommandFailure(description: "no pipe: error \(errno)")
    }
    return (ends[0], ends[1])
  }

  /// Times bytes on their way through both pipes.
  private static func relayed(
    _ count: Int,
    through relay: (Int32, Int32) -> Void
  ) throws -> Timing {
    let (input, output) = (try pipePair(), try pipePair())
    let (received, timing) = Timing.of {
      carry(count, from: input, to: output, through: relay)
    }
    close(input.reading)
    close(output.reading)
    guard received == count else {
      throw CommandFailure(description: "\(received) of \(count) bytes came through")
    }
    return timing
  }

  private typealias Pipe = (reading: Int32, writing: Int32)

  /// Sends bytes into one pipe and counts those that come out of the other.
  private static func carry(
    _ count: Int,
    from input: Pipe,
    to output: Pipe,
    through relay: (Int32, Int32) -> Void
  ) -> Int {
    Thread.detachNewThread {
      let bytes = [UInt8](repeating: 7, count: delivery)
      for _ in 0..<count / delivery {
        var sent = 0
        while sent < delivery {
          sent += bytes[sent...].withUnsafeBytes { write(input.writing, $0.baseAddress, $0.count) }
        }
      }
      close(input.writing)
    }
    let received = Counter()
    let isOver = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      var bytes = [UInt8](repeating: 0, count: delivery)
      while case let got = read(output.reading, &bytes, bytes.count), got > 0 {
        received.value += got
      }
      isOver.signal()
    }
    relay(input.reading, output.writing)
    close(output.writing)
    isOver.wait()
    return received.value
  }

  private static func ours(_ input: Int32, _ output: Int32) {
    let queue = WorkQueue(label: "relay")
    let end = WorkGroup()
    end.enter()
    end.enter()
    let source = IOChannel(type: .stream, fileDescriptor: input, queue: queue) { _ in end.leave() }
    let sink = IOChannel(type: .stream, fileDescriptor: output, queue: queue) { _ in end.leave() }
    source.setLimit(lowWater: delivery)
    source.setLimit(highWater: delivery)
    source.read(offset: 0, length: .max, queue: queue) { isDone, data, _ in
      if let data, !data.isEmpty {
        sink.write(offset: 0, data: data, queue: queue) { _, _, _ in }
      }
      guard isDone else { return }
      source.close()
      sink.close()
    }
    end.wait()
  }

  private static func relay(_ input: Int32, _ output: Int32) {
    let (queue, end) = (WorkQueue(label: "relay"), WorkGroup())
    end.enter()
    end.enter()
    let source = IOChannel(type: .stream, fileDescriptor: input, queue: queue) { _ in end.leave() }
    let sink = IOChannel(type: .stream, fileDescriptor: output, queue: queue) { _ in end.leave() }
    // The far end counts the bytes.
    _ = try? waitForTask { try await source.relay(to: sink) }
    source.close()
    sink.close()
    end.wait()
  }

  private static func theirs(_ input: Int32, _ output: Int32) {
    let queue = DispatchQueue(label: "relay")
    let end = DispatchGroup()
    end.enter()
    end.enter()
    let source = DispatchIO(type: .stream, fileDescriptor: input, queue: queue) { _ in end.leave() }
    let sink = DispatchIO(type: .stream, fileDescriptor: output, queue: queue) { _ in end.leave() }
    source.setLimit(lowWater: delivery)
    source.setLimit(highWater: delivery)
    source.read(offset: 0, length: .max, queue: queue) { isDone, data, _ in
      if let data, !data.isEmpty {
        sink.write(offset: 0, data: data, queue: queue) { _, _, _ in }
      }
      guard isDone else { return }
      source.close()
      sink.close()
    }
    end.wait()
  }

  private static func loop(_ input: Int32, _ output: Int32) {
    var bytes = [UInt8](repeating: 0, count: delivery)
    while case let got = read(input, &bytes, bytes.count), got > 0 {
      var sent = 0
      while sent < got {
        sent += bytes[sent..<got].withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
      }
    }
  }
}
