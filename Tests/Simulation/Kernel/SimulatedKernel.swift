import DataRegions
import IOChannelsEngine
import IOChannelsSystem

/// Carries requests out in the order that the driver chooses, with the faults of the seed.
///
/// It owns the memory of a request from the start to the answer: it marks it first, writes it last,
/// and looks whether anybody else was there meanwhile.
final class SimulatedKernel {
  /// What becomes of a transfer, decided when it starts.
  enum Outcome {
    case moves(atMost: Int)
    case fails(SystemError)
  }

  fileprivate struct Flight {
    var request: Request
    let slot: SlotID
    /// Whether it only waits for the descriptor.
    let isPoll: Bool
    let start: Int64
    var due: Int64
    var outcome: Outcome
  }

  /// A buffer that goes when nobody uses it any more.
  private struct SeenBuffer {
    weak var buffer: PooledBuffer?
  }

  private static let seenLimit = 16

  /// What a transfer may fail with; the last one is there twice, as it is the likeliest.
  private static let errors: [(fault: Faults, error: SystemError, mark: Mark)] = [
    (.ioError, .ioError, .ioError),
    (.noSpace, .noSpace, .noSpace),
    (.quota, .quotaExceeded, .quota),
    (.notSupported, .notSupported, .notSupported),
    (.interrupted, .interrupted, .interrupted),
    (.canceled, .canceled, .canceledByKernel),
    (.tryAgain, .resourceTemporarilyUnavailable, .tryAgain),
    (.tryAgain, .resourceTemporarilyUnavailable, .tryAgain),
  ]

  private static let never = Int64.max

  let profile: Profile
  /// False when the seed comes to its end: nothing fails any more.
  var isFaulty = true
  private(set) var now: Int64 = 0
  private var flights: [Flight] = []
  /// Answers that may come again.
  private(set) var answered: [SlotID] = []
  /// The first buffers of the run, to see whether they are given back.
  private var seen: [SeenBuffer] = []
  private let report: Report

  init(profile: Profile, report: Report) {
    self.profile = profile
    self.report = report
  }

  var inFlightCount: Int { flights.count }
  func has(_ request: Request) -> Bool { flights.contains { $0.request === request } }

  /// Whether a buffer of the run is still in use, of those that are watched.
  var hasBuffers: Bool { seen.contains { $0.buffer != nil } }

  /// How many requests it has had since `time` or longer.
  func inFlightCount(since time: Int64) -> Int { flights.count { $0.start <= time } }

  /// Whether the time of a request has come.
  var hasDue: Bool { flights.contains { $0.due <= now } }
  var hasLater: Bool { flights.contains { $0.due > now && $0.due != Self.never } }
}

// MARK: - Requests

extension SimulatedKernel {
  /// Takes a request, and its memory.
  func start(
    _ request: Request,
    _ slot: SlotID,
    isPoll: Bool,
    from file: SimulatedFile,
    _ random: StepGenerator
  ) {
    report.expect(!has(request), "I14: a request was handed to the kernel twice")
    report.expect(
      !flights.contains { $0.slot == slot },
      "I14: a token was used for two requests at once"
    )
    if !isPoll, case .read(let buffer, let range) = request.operation {
      report.expect(
        !flights.contains { $0.uses(buffer, range) },
        "I3: memory of one request was given to another"
      )
      SimulatedMemory.mark(buffer, range)
      if seen.count < Self.seenLimit { seen.append(SeenBuffer(buffer: buffer)) }
    }
    report.expect(
      !request.isBufferedWrite || request.piece.count <= profile.limits.piece,
      "S178: a piece of \(request.piece.count) bytes"
    )
    let outcome = outcome(of: request, isPoll: isPoll, of: file, random)
    flights.append(
      Flight(
        request: request,
        slot: slot,
        isPoll: isPoll,
        start: now,
        due: due(random),
        outcome: outcome
      )
    )
    report.expect(
      flights.count <= profile.limits.requests,
      "I13: more requests in flight than the limit"
    )
  }

  private func due(_ random: StepGenerator) -> Int64 {
    guard isFaulty else { return now }
    if profile.faults.contains(.stuck), random.chance(percent: 3) {
      report.count(.stuck)
      return Self.never
    }
    return now + Int64(random.number(below: profile.latency))
  }

  /// Draws what becomes of a transfer.
  func outcome(
    of request: Request,
    isPoll: Bool = false,
    byThread: Bool = false,
    of file: SimulatedFile,
    _ random: StepGenerator
  ) -> Outcome {
    let length = request.piece.count
    guard isFaulty else { return .moves(atMost: length) }
    if let error = error(request, isPoll: isPoll, byThread: byThread, random) {
      return .fails(error)
    }
    if isPoll { return .moves(atMost: length) }
    let isPiecemeal = file.isPollable && random.chance(percent: 50)
    if isPiecemeal || profile.faults.contains(.short) && hits(random), length > 1 {
      report.count(request.direction == .read ? .shortRead : .shortWrite)
      return .moves(atMost: random.number(in: 1...length - 1))
    }
    if request.direction == .write, profile.faults.contains(.writesNothing), hits(random) {
      report.count(.nothingWritten)
      return .moves(atMost: 0)
    }
    return .moves(atMost: length)
  }

  private func error(
    _ request: Request,
    isPoll: Bool,
    byThread: Bool,
    _ random: StepGenerator
  ) -> SystemError? {
    guard hits(random) else { return nil }
    let isWrite = request.direction == .write
    let count = Self.errors.count - (profile.program == nil ? 0 : 1)
    let candidate = random.place(in: count) { place in
      let isOfWrites = Self.errors[place].fault.isSubset(of: [.noSpace, .quota])
      // Threads repeat, wait and know every call.
      return profile.faults.contains(Self.errors[place].fault)
        && (!isOfWrites || isWrite && !isPoll) && !(byThread && place >= 3)
    }
    guard let candidate else { return nil }
    report.count(Self.errors[candidate].mark)
    return Self.errors[candidate].error
  }

  private func hits(_ random: StepGenerator) -> Bool {
    random.chance(percent: profile.faultPercent)
  }

  /// Does what was decided for the piece of a transfer, as far as the file lets it.
  ///
  /// - Returns: The number of bytes, or a negative error, and the bytes of a read.
  func carryOut(
    _ request: Request,
    _ outcome: Outcome,
    on file: SimulatedFile
  ) -> (answer: Int32, bytes: ArraySlice<UInt8>) {
    let isWrite = request.direction == .write
    let limit: Int
    switch outcome {
    case .fails(let error): return (-error.rawValue, [])
    case .moves(let count): limit = count
    }
    let piece = request.piece
    let offset = request.pieceOffset
    let room = file.room(at: offset, count: piece.count, writes: isWrite)
    guard case .success(let available) = room else {
      report.count(.badRangeMet)
      if case .failure(let error) = room { return (-error.rawValue, []) }
      return (0, [])
    }
    let count = min(available, limit)
    switch request.operation {
    case .read(let buffer, let range):
      if count == 0 { report.count(.endOfFile) }
      let bytes = file.read(at: offset, count: count)
      SimulatedMemory.copy(bytes, to: buffer, at: range.lowerBound)
      return (Int32(count), bytes)
    case .write(let data):
      if piece.count < request.length { report.count(.writeCut) }
      if piece.lowerBound > 0, count < piece.count { report.count(.laterPieceShort) }
      let part = data.subdata(in: piece.lowerBound..<piece.upperBound)
      file.write(part, at: offset, count: count)
      return (Int32(count), [])
    default:
      report.expect(false, "channels ask for transfers only")
      return (-SystemError.invalidArgument.rawValue, [])
    }
  }
}

// MARK: - Memory

extension SimulatedKernel {
  /// Finds some of the bytes at a place of a file in memory, or none.
  func look(
    into file: SimulatedFile,
    at offset: Int64,
    count: Int,
    _ random: StepGenerator
  ) -> Result<ArraySlice<UInt8>, SystemError> {
    if random.chance(percent: 30) {
      report.count(.notInMemory)
      return .failure(.resourceTemporarilyUnavailable)
    }
    return file.room(at: offset, count: count, writes: false).map { there in
      let isPart = there > 1 && random.chance(percent: 30)
      if isPart { report.count(.partlyInMemory) }
      let found = isPart ? random.number(in: 1...there - 1) : there
      return file.read(at: offset, count: found)
    }
  }
}

// MARK: - Answers

extension SimulatedKernel {
  /// Takes out a request whose time has come, in any order.
  func takeDue(
    _ random: StepGenerator
  ) -> (request: Request, slot: SlotID, isPoll: Bool, outcome: Outcome)? {
    let due = flights.indices.filter { flights[$0].due <= now }
    guard !due.isEmpty else { return nil }
    var flight = flights.remove(at: random.element(of: due))
    report.expect(
      !isKnownUniquelyReferenced(&flight.request),
      "I3: a request was let go of while the kernel had it"
    )
    if !flight.isPoll, case .read(let buffer, let range) = flight.request.operation {
      report.expect(
        SimulatedMemory.isMarked(buffer, range),
        "I3: memory was changed while the kernel had it"
      )
    }
    answered.append(flight.slot)
    return (flight.request, flight.slot, flight.isPoll, flight.outcome)
  }

  /// Tries to end a request early.
  func cancel(_ slot: SlotID, _ random: StepGenerator) {
    guard let index = flights.firstIndex(where: { $0.slot == slot }) else { return }
    if isFaulty, profile.faults.contains(.lateCancel), random.chance(percent: 30) {
      report.count(.cancelledTooLate)
      return
    }
    let length = flights[index].request.piece.count
    if !flights[index].isPoll, length > 1, random.chance(percent: 20) {
      report.count(.cancelledInPart)
      flights[index].outcome = .moves(atMost: random.number(in: 1...length - 1))
    } else {
      report.count(.cancelledInKernel)
      flights[index].outcome = .fails(random.chance(percent: 20) ? .interrupted : .canceled)
    }
    flights[index].due = now + Int64(random.number(below: min(4, profile.latency)))
  }

  /// Lets time pass until something is due, or a little.
  func tick() {
    let next = flights.lazy.map(\.due).filter { $0 > self.now && $0 != Self.never }.min()
    now = next ?? now + 1
  }

  /// Lets time pass up to a point.
  func pass(to time: Int64) {
    now = max(now, time)
  }

  /// Ends all faults: what is stuck goes on.
  func heal() {
    isFaulty = false
    for index in flights.indices { flights[index].due = now }
  }

  /// Takes out everything, when the ring is given up; the memory stays marked for ever.
  func loseEverything() -> [Request] {
    defer { flights = [] }
    return flights.map(\.request)
  }
}

extension SimulatedKernel.Flight {
  /// Whether the kernel may write into a part of this memory.
  fileprivate func uses(_ buffer: PooledBuffer, _ range: Range<Int>) -> Bool {
    guard !isPoll, case .read(let own, let ownRange) = request.operation else { return false }
    return own === buffer && ownRange.overlaps(range)
  }
}
