import IOChannels
import QueueRuntime
import IOChannelsEngine
import Synchronization
import IOChannelsTestSupport
import Testing

/// Keeps requests until the test ends them.
private final class HeldRequests: Backend {
  private let held = Mutex<(submitted: Int, requests: [Request])>((0, []))

  var submitted: Int { held.withLock { $0.submitted } }

  func submit(_ request: Request) {
    held.withLock {
      $0.submitted += 1
      $0.requests.append(request)
    }
  }

  func cancel(_ request: Request) {}

  /// Ends the oldest request, with what is known of the file or as a full transfer.
  func endFirst() throws {
    let request = held.withLock { $0.requests.removeFirst() }
    if request.kind == .status { request.status = try request.descriptor.status() }
    request.end(.success(request.length))
  }
}

@Suite("Stops")
struct StopTests {
  /// The queue's jobs are never run, so no handler returns.
  private let queue = WorkQueue(label: "still", pool: WorkerPool(name: "still") { _ in })

  @Test("An operation that ends by a stop does not let a stopped one ask for bytes")
  func stopBeforeTheFirstEnds() throws {
    let backend = HeldRequests()
    let engine = Engine(
      simulatedBy: backend,
      queue: queue,
      sizes: TransferSizes(step: 4096, window: 4096, atOnce: 0, peerAtOnce: 0),
      budget: .shared
    )
    let directory = try TemporaryDirectory()
    let file = try openFile(directory.write([UInt8](repeating: 1, count: 65536), to: "file"))
    let channel = IOChannel(
      type: .stream,
      fileDescriptor: file.rawValue,
      engine: engine,
      queue: queue
    ) { _ in }
    channel.setLimit(lowWater: 4096)
    for _ in 0..<2 { channel.read(offset: 0, length: .max, queue: queue) { _, _, _ in } }
    try backend.endFirst()
    #expect(backend.submitted == 2)
    try backend.endFirst()
    // The first read waits for its handler and has nothing in the kernel's hands.
    #expect(backend.submitted == 2)
    channel.close(flags: .stop)
    #expect(backend.submitted == 2)
  }
}
