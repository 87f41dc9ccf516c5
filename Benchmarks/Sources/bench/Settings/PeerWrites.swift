import Foundation
import IOChannels
import Measure

/// Writes of one length through a channel to a thread that reads what comes, some in flight.
struct PeerWrites {
  let usesSockets: Bool
  let length: Int
  let inFlight: Int
  let count: Int

  init(usesSockets: Bool, length: Int, inFlight: Int, count: Int) {
    (self.usesSockets, self.length) = (usesSockets, length)
    (self.inFlight, self.count) = (inFlight, count)
  }

  /// Takes what `arguments` gave.
  init?(_ arguments: [String]) {
    let numbers = arguments.compactMap(Int.init)
    guard arguments.count == 4, numbers.count == 4 else { return nil }
    usesSockets = numbers[0] == 1
    (length, inFlight, count) = (numbers[1], numbers[2], numbers[3])
  }

  /// What a process is told that does it.
  var arguments: [String] {
    ["\(usesSockets ? 1 : 0)", "\(length)", "\(inFlight)", "\(count)"]
  }

  /// Does it in this process.
  func measure() throws -> Timing {
    var ends: [Int32] = [0, 0]
    let answer =
      usesSockets ? socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) : pipe(&ends)
    guard answer == 0 else { throw CommandFailure(description: "no ends: error \(errno)") }
    let (reading, writing) = (ends[0], ends[1])
    defer { close(reading) }
    return try timed(expecting: length * count) { relayed(from: writing, to: reading) }
  }

  private func relayed(from writing: Int32, to reading: Int32) -> Int {
    let (received, isOver) = (Counter(), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      var bytes = [UInt8](repeating: 0, count: 64 << 10)
      while case let got = read(reading, &bytes, bytes.count), got > 0 { received.value += got }
      isOver.signal()
    }
    let (queue, end) = (WorkQueue(label: "writes"), WorkGroup())
    end.enter()
    let channel = IOChannel(kind: .stream, fileDescriptor: writing, queue: queue) { _ in
      end.leave()
    }
    let writer = Writer(channel, queue, DataBuffer([UInt8](repeating: 7, count: length)), count)
    queue.sync { for _ in 0..<inFlight { writer.goOn() } }
    end.wait()
    close(writing)
    isOver.wait()
    return received.value
  }

  /// Asks for the next write when one has ended, on its queue.
  private final class Writer: @unchecked Sendable {
    private let channel: IOChannel
    private let queue: WorkQueue
    private let data: DataBuffer
    private var left: Int

    init(_ channel: IOChannel, _ queue: WorkQueue, _ data: DataBuffer, _ count: Int) {
      (self.channel, self.queue, self.data, left) = (channel, queue, data, count)
    }

    func goOn() {
      if left == 0 { return channel.close() }
      left -= 1
      channel.write(offset: 0, data: data, queue: queue) { [self] isDone, _, _ in
        if isDone { goOn() }
      }
    }
  }
}
