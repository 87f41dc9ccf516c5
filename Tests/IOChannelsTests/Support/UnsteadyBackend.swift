import QueueRuntime
import Synchronization
import IOChannelsSystem
import IOChannelsTestSupport

@testable import IOChannelsEngine

/// Real transfers as an unsteady kernel would make them: in any order, in part, and after answers
/// that mean "not now" or "not this way".
///
/// What follows from an answer is the scheduler's decision, as on the ring's thread. What moves no
/// bytes is done by threads. The seed decides how a kernel would have it; when requests come is the
/// machine's matter, so it repeats the kernel's mood and not the run.
///
/// `@unchecked Sendable` because only items of its queue touch what changes.
final class UnsteadyBackend: Backend, @unchecked Sendable {
  /// A request that the kernel has.
  private struct Flight {
    let request: Request
    let slot: SlotID
    /// Whether it waits until the descriptor is ready.
    let waits: Bool
  }

  private let queue = WorkQueue(label: "unsteady kernel")
  private let threads = ThreadBackend(pool: .transfers, statistics: Statistics())
  private let waiting = ReadinessWaiter(pool: .transfers)
  private let cutsTransfers: Bool
  private var random: SeededGenerator
  private var scheduler = RequestScheduler(
    limits: .init(requests: 1000, pollable: 500, perDevice: 64, workersPerDevice: 32)
  )
  private var actions: [RequestScheduler.Action] = []
  private var flights: [Flight] = []

  /// Makes one that moves parts of what is asked for, or always all.
  init(seed: UInt64, cutsTransfers: Bool) {
    self.cutsTransfers = cutsTransfers
    random = SeededGenerator(seed: seed)
  }

  func submit(_ request: Request) {
    guard request.kind == .read || request.kind == .write else { return threads.submit(request) }
    queue.async {
      self.scheduler.submit(request)
      self.turn()
    }
  }

  func cancel(_ request: Request) {
    guard request.kind == .read || request.kind == .write else { return threads.cancel(request) }
    request.isCancelled.store(true, ordering: .releasing)
    queue.async {
      self.scheduler.cancel(request, &self.actions)
      self.turn()
    }
  }

  /// Starts what may start, and carries one request out.
  private func turn() {
    scheduler.start(at: KernelClock.uptime.nanoseconds, &actions)
    perform()
    let attempted = flights.indices.filter { !flights[$0].waits }
    guard let index = attempted.randomElement(using: &random) else { return }
    let flight = flights.remove(at: index)
    answer(flight, carryOut(flight.request))
    queue.async { self.turn() }
  }

  private func answer(_ flight: Flight, _ answer: Int32) {
    let isKnown = scheduler.answered(flight.slot, answer, &actions)
    precondition(isKnown, "An answer belongs to a request.")
    perform()
  }

  private func perform() {
    var index = 0
    while index < actions.count {
      switch actions[index] {
      case .start(let request, let slot):
        flights.append(Flight(request: request, slot: slot, waits: false))
      case .awaitReadiness(let request, let slot): awaitReadiness(of: request, slot)
      case .cancel(let slot): cancel(slot)
      case .end(let request, let answer):
        request.end(answer < 0 ? .failure(SystemError(rawValue: -answer)) : .success(Int(answer)))
      case .noteRetry: break
      case .reroute(let request): threads.submit(request)
      case .cancelRerouted(let request): threads.cancel(request)
      case .taken: break
      }
      index += 1
    }
    actions.removeAll(keepingCapacity: true)
  }

  private func cancel(_ slot: SlotID) {
    guard let index = flights.firstIndex(where: { $0.slot == slot }) else { return }
    if flights[index].waits { return waiting.cancel(flights[index].request) }
    // Sometimes the cancellation comes too late.
    if Int.random(in: 0..<4, using: &random) == 0 { return }
    let flight = flights.remove(at: index)
    _ = scheduler.answered(flight.slot, -SystemError.canceled.rawValue, &actions)
  }

  private func awaitReadiness(of request: Request, _ slot: SlotID) {
    flights.append(Flight(request: request, slot: slot, waits: true))
    waiting.wait(for: request) { outcome in
      self.queue.async { self.waitEnded(slot, outcome) }
    }
  }

  private func waitEnded(_ slot: SlotID, _ outcome: ReadinessWaiter.Outcome) {
    guard let index = flights.firstIndex(where: { $0.slot == slot }) else { return }
    let flight = flights.remove(at: index)
    switch outcome {
    case .failed(let error): answer(flight, -error.rawValue)
    case .over where flight.request.isCancelled.load(ordering: .acquiring):
      answer(flight, -SystemError.canceled.rawValue)
    case .over, .impossible:
      let states: ReadinessEvents = flight.request.direction == .read ? .readable : .writable
      answer(flight, Int32(states.rawValue))
    }
    turn()
  }

  /// Makes the call, or answers what the kernel might.
  private func carryOut(_ request: Request) -> Int32 {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<10: return -SystemError.interrupted.rawValue
    case 10..<15: return -SystemError.resourceTemporarilyUnavailable.rawValue
    case 15..<18: return -SystemError.canceled.rawValue
    case 18..<20: return -SystemError.notSupported.rawValue
    default: break
    }
    let waits = request.traits.kind == .seekable
    let limit = limit(of: request)
    do throws(SystemError) {
      if case .read(let buffer, let range) = request.operation {
        let flags = TransferFlags(waits: waits, isUncached: request.isUncached)
        let part = range.lowerBound..<range.lowerBound + limit
        let count = try buffer.read(
          from: request.descriptor,
          into: part,
          at: request.offset,
          flags
        )
        return Int32(count)
      }
      return Int32(try request.callForPiece(waits: waits, limit: limit).get())
    } catch {
      return -error.rawValue
    }
  }

  /// How many bytes of its piece a request moves; past the page cache these are whole blocks.
  private func limit(of request: Request) -> Int {
    let length = request.piece.count
    if length < 2 || !cutsTransfers || Bool.random(using: &random) { return length }
    let some = Int.random(in: 1..<length, using: &random)
    guard request.traits.isDirect else { return some }
    let blocks = some & ~(Request.directBlockSize - 1)
    return blocks == 0 ? length : blocks
  }
}
