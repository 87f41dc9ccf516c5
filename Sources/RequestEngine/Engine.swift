package import QueueRuntime
import Synchronization
import SystemCalls

/// The way from a request to the kernel: the ring, or threads, or each for what it does best.
package final class Engine: Sendable {
  /// The engine of the process, made with its first use.
  package static let shared: Engine = {
    isInUse.store(true, ordering: .releasing)
    return Engine(setting: Environment.value(of: BackendPreference.variable))
  }()

  /// The engine of the process if it was used before; asking does not make it.
  package static var sharedIfUsed: Engine? {
    isInUse.load(ordering: .acquiring) ? shared : nil
  }

  private static let isInUse = Atomic<Bool>(false)

  package let choice: BackendChoice
  /// Where channels run what has no queue of its own: barriers.
  package let queue: WorkQueue
  /// How channels cut their operations into requests.
  package let sizes: TransferSizes
  /// Where reads get their memory.
  package let buffers: BufferPool
  private let ring: (any Backend)?
  private let threads: any Backend
  private let statistics: Statistics

  /// Makes an engine.
  ///
  /// - Parameter setting: A value of `IOCHANNELS_BACKEND`, `nil` for the default.
  package init(setting: String?) {
    let statistics = Statistics()
    let threads = ThreadBackend(pool: .transfers, statistics: statistics)
    var ring: RingBackend?
    choice = BackendChoice(setting: setting) { () throws(ProbeFailure) in
      try RingProbe.run()
      do throws(Errno) {
        ring = try RingBackend(threads: threads, statistics: statistics)
      } catch {
        throw ProbeFailure(step: .setup, error: error)
      }
    }
    self.ring = ring
    self.threads = threads
    self.statistics = statistics
    queue = .global()
    sizes = TransferSizes()
    buffers = .shared
  }

  /// Makes an engine whose requests all go to one backend, for the simulator.
  package init(
    simulatedBy backend: any Backend,
    queue: WorkQueue,
    sizes: TransferSizes,
    buffers: BufferPool = .shared
  ) {
    choice = .simulated
    ring = nil
    threads = backend
    statistics = Statistics()
    self.queue = queue
    self.sizes = sizes
    self.buffers = buffers
  }

  /// Starts a transfer; its owner is told the end on a thread of the engine.
  package func submit(_ request: Request) {
    backend(for: request).submit(request)
  }

  /// Asks for an early end of a transfer that was submitted to this engine.
  package func cancel(_ request: Request) {
    backend(for: request).cancel(request)
  }

  /// What the engine has done so far.
  package var counts: EngineCounts { statistics.counts }

  private func backend(for request: Request) -> any Backend {
    guard let ring else { return threads }
    let route = RoutingTable.route(
      request.direction,
      length: request.length,
      traits: request.traits
    )
    switch route {
    case .ring: return ring
    case .pool: return threads
    }
  }
}
