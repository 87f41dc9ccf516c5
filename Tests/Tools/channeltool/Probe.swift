import DataRegions
import IOChannels
import QueueRuntime
import IOChannelsEngine
import Synchronization
import IOChannelsSystem
import IOChannelsTestSupport

/// `channeltool probe`: uses channels in all ways and prints the results, then the backend.
enum Probe {
  static let usage = """
    channeltool probe DIRECTORY  use channels of files there and of pipes
    """

  /// Prints the same lines wherever it runs, except the last one: `ring|threads RING THREADS`, with
  /// the numbers of requests, and the reason for the choice of the backend.
  static func run(_ arguments: [String]) throws {
    guard arguments.count == 1 else { throw UsageError() }
    let before = IOEngine.statistics()
    print("\(before.backend == nil ? before.reason : "used"), \(try namedThreadCount()) threads")
    try useFile(arguments[0])
    try usePipe()
    let counts = Engine.shared.counts
    let after = IOEngine.statistics()
    let name = after.backend == .uring ? "ring" : "threads"
    print("\(name) \(counts.ringRequests) \(counts.threadRequests) \(after.reason)")
  }
}

/// The sums of the deliveries to a handler, because backends may split them differently.
private final class Sums: Sendable {
  private let state = Mutex((bytes: 0, areExpected: true, end: ""))
  private let expected: DataBuffer
  let group = WorkGroup()

  /// Creates sums of deliveries that should have these bytes.
  init(expecting expected: DataBuffer = .empty) { self.expected = expected }

  func handler() -> IOChannel.Handler {
    group.enter()
    return { [self] isDone, data, error in
      state.withLock { state in
        let range = state.bytes..<state.bytes + (data?.count ?? 0)
        if range.upperBound > expected.count || data ?? .empty != expected.subdata(in: range) {
          state.areExpected = false
        }
        state.bytes = range.upperBound
        if isDone { state.end = error == 0 ? "done" : "error \(error)" }
      }
      if isDone { group.leave() }
    }
  }

  /// Waits for the last delivery and prints the sums.
  func report(_ name: String) {
    group.wait()
    let (bytes, areExpected, end) = state.withLock { $0 }
    let kind = areExpected && bytes == expected.count ? "expected" : "other"
    print("\(name): \(bytes) \(kind) bytes, \(end)")
  }
}

/// Returns bytes with a period of 1,792, which divides no size of a page or part.
private func pattern(_ count: Int) -> DataBuffer {
  var bytes = (0..<1_792).map { UInt8(truncatingIfNeeded: $0 / 7) }
  // A debug build takes long to create each byte of a large array by itself.
  while bytes.count < count { bytes += bytes }
  return DataBuffer(bytes).subdata(in: 0..<count)
}

/// A channel in which `open` is entered until its cleanup: its descriptor is in use until then.
private func channel(
  _ kind: IOChannel.StreamType,
  _ descriptor: Int32,
  _ name: String,
  _ open: WorkGroup
) -> IOChannel {
  open.enter()
  return IOChannel(type: kind, fileDescriptor: descriptor, queue: .global()) { error in
    if error != 0 { print("\(name): cleanup \(error)") }
    open.leave()
  }
}

private func useFile(_ directory: String) throws {
  let path = "\(directory)/probe-\(PlatformThread.currentNumber)"
  let file = try openFile(path, [.readWrite, .create])
  let open = WorkGroup()
  let stream = channel(.stream, file.rawValue, "stream", open)
  let bytes = pattern(3_000_000)
  let written = Sums()
  stream.write(offset: 0, data: bytes, queue: .global(), ioHandler: written.handler())
  written.report("written")
  try file.borrowed.setPosition(0)
  let random = channel(.random, file.rawValue, "random", open)
  let parts = (0..<64).map { index in
    Sums(expecting: bytes.subdata(in: index * 40_009..<index * 40_009 + 20_000))
  }
  for (index, part) in parts.enumerated() {
    let offset = Int64(index * 40_009)
    random.read(offset: offset, length: 20_000, queue: .global(), ioHandler: part.handler())
  }
  for (index, part) in parts.enumerated() where index % 21 == 0 { part.report("part \(index)") }
  let again = channel(.stream, file.rawValue, "again", open)
  let whole = Sums(expecting: bytes)
  again.read(offset: 0, length: .max, queue: .global(), ioHandler: whole.handler())
  whole.report("whole")
  let behind = Sums()
  random.read(offset: 1 << 40, length: 10, queue: .global(), ioHandler: behind.handler())
  behind.report("behind the end")
  for channel in [stream, random, again] { channel.close() }
  open.wait()
}

private func usePipe() throws {
  let ends = try PipeEnds()
  let open = WorkGroup()
  let source = channel(.stream, ends.writing.rawValue, "source", open)
  let sink = channel(.stream, ends.reading.rawValue, "sink", open)
  let bytes = DataBuffer([UInt8](repeating: 9, count: 500_000))
  let (sent, received) = (Sums(), Sums(expecting: bytes))
  sink.read(offset: 0, length: 500_000, queue: .global(), ioHandler: received.handler())
  source.write(offset: 0, data: bytes, queue: .global(), ioHandler: sent.handler())
  sent.report("sent")
  received.report("received")
  let waiting = Sums()
  sink.read(offset: 0, length: 1, queue: .global(), ioHandler: waiting.handler())
  sink.close(flags: .stop)
  waiting.report("stopped")
  source.close()
  open.wait()
}
