import IOChannelsLocks
import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@testable import IOChannels

@Suite("The state of a relay (S245)")
struct RelayStateTests {
  private typealias Actions = RelayState.Actions

  private static let piece = RelayState.firstRead
  private static let canceled = RelayState.Failure(side: .source, reason: .canceled)

  /// Drives a state as the kernel, the budget and the channels do, and checks what it asks for.
  private struct Model {
    var state: RelayState
    /// The memory that the budget is asked for.
    var wanted: Int?
    var held = 0
    var mostHeld = 0
    /// The most bytes of the read in flight.
    var reading: Int?
    var isWriting = false
    /// The bytes of each piece that are left to be written.
    var pieces: [Int] = []
    var cancelled: Set<RelayState.Side> = []
    var reportCount = 0
    /// The sides whose operations have ended.
    var ended: [RelayState.Side] = []

    init(count: Int = .max, step: Int = 1 << 20) {
      state = RelayState(count: count, step: step)
    }

    /// Returns a model whose channels have begun the operation.
    static func begun(count: Int = .max, step: Int = 1 << 20) -> Model {
      var model = Model(count: count, step: step)
      model.join()
      model.begin(.source)
      model.begin(.destination)
      return model
    }

    mutating func join(_ refusal: RelayState.Failure? = nil) {
      process { state, actions in state.joined(refusal, &actions) }
    }

    mutating func begin(
      _ side: RelayState.Side,
      _ error: SystemError? = nil,
      messageRoom: Int = 1
    ) {
      var hasEnded = false
      process { state, actions in
        hasEnded = state.began(side, error, messageRoom: messageRoom, &actions)
      }
      if hasEnded { end(side) }
    }

    mutating func stop(_ failure: RelayState.Failure = RelayStateTests.canceled) {
      process { state, actions in state.stop(failure, &actions) }
    }

    /// Gives the memory that is asked for, also when it comes too late.
    mutating func grant() {
      guard let bytes = wanted.take() else { return }
      var isNeeded = false
      held += bytes
      mostHeld = max(mostHeld, held)
      process { state, actions in isNeeded = state.granted(&actions) }
      if !isNeeded { held -= bytes }
    }

    mutating func answerRead(_ result: Result<Int, SystemError>) {
      reading = nil
      if case .success(let count) = result, count > 0 { pieces.append(count) }
      process { state, actions in state.readEnded(result, &actions) }
    }

    mutating func answerWrite(_ result: Result<Int, SystemError>) {
      isWriting = false
      if case .success(let count) = result, count > 0 {
        pieces[0] -= count
        if pieces[0] == 0 { pieces.removeFirst() }
      }
      process { state, actions in state.writeEnded(result, &actions) }
    }

    private mutating func process(_ event: (inout RelayState, inout Actions) -> Void) {
      var actions = Actions()
      event(&state, &actions)
      for action in actions { perform(action) }
    }

    private mutating func perform(_ action: RelayState.Action) {
      switch action {
      case .takeMemory(let bytes):
        #expect(wanted == nil && reportCount == 0)
        wanted = bytes
      case .read(let limit):
        #expect(reading == nil && reportCount == 0)
        reading = limit
      case .write:
        #expect(!isWriting && reportCount == 0)
        isWriting = true
      case .cancel(let side):
        #expect(side == .source ? reading != nil : isWriting)
        cancelled.insert(side)
      case .release(let bytes):
        held -= bytes
        #expect(held >= 0)
      case .report:
        #expect(reading == nil && !isWriting && held == 0)
        reportCount += 1
      case .leave(let side): end(side)
      }
    }

    private mutating func end(_ side: RelayState.Side) {
      #expect(reportCount == 1 && !ended.contains(side))
      ended.append(side)
    }
  }

  @Test("Nothing is read before both channels have begun")
  func begin() {
    var model = Model()
    model.begin(.source)
    model.begin(.destination)
    #expect(model.wanted == nil)
    model.join()
    #expect(model.wanted == Self.piece)
    var other = Model()
    other.join()
    other.begin(.destination)
    #expect(other.wanted == nil)
    other.begin(.source)
    #expect(other.wanted == Self.piece)
  }

  @Test("The next read runs during a write, and there is no third piece")
  func overlap() {
    var model = Model.begun()
    model.grant()
    model.answerRead(.success(10))
    #expect(model.isWriting)
    model.grant()
    #expect(model.reading == Self.piece)
    model.answerRead(.success(20))
    #expect(model.wanted == nil && model.reading == nil)
    #expect(model.held == 2 * Self.piece)
    model.answerWrite(.success(4))
    #expect(model.wanted == nil && model.isWriting)
    model.answerWrite(.success(6))
    #expect(model.wanted == Self.piece && model.isWriting)
    #expect(model.state.readCount == 30 && model.state.writtenCount == 10)
  }

  @Test("Full reads double the next one, up to a step")
  func sizes() {
    var model = Model.begun(step: 4 * Self.piece)
    var sizes: [Int] = []
    for _ in 0..<4 {
      model.grant()
      sizes.append(model.reading ?? 0)
      model.answerRead(.success(model.reading ?? 0))
      model.answerWrite(.success(sizes.last ?? 0))
    }
    #expect(sizes == [1, 2, 4, 4].map { $0 * Self.piece })
  }

  @Test("After a read of few bytes the next one holds little memory")
  func sizesOfAQuietPeer() {
    var model = Model.begun()
    var sizes: [Int] = []
    for count in [1, 2, 4, 3, 1].map({ $0 * Self.piece }) + [10] {
      model.grant()
      model.answerRead(.success(count))
      model.answerWrite(.success(count))
      sizes.append(model.wanted ?? 0)
    }
    #expect(sizes == [2, 4, 8, 4, 1, 1].map { $0 * Self.piece })
  }

  @Test("Each read has room for a message (S321)")
  func sizesOfMessages() {
    var model = Model()
    model.join()
    model.begin(.source, messageRoom: .max)
    model.begin(.destination)
    for _ in 0..<3 {
      model.grant()
      #expect(model.reading == 1 << 20)
      model.answerRead(.success(10))
      model.answerWrite(.success(10))
    }
  }

  @Test(
    "An error that comes with a cancellation is reported instead (S320)",
    arguments: [true, false]
  )
  func errorBesideCancellation(isRead: Bool) {
    var model = Model.begun()
    model.grant()
    model.answerRead(.success(10))
    model.grant()
    model.stop()
    model.answerRead(.failure(isRead ? .connectionReset : .canceled))
    model.answerWrite(.failure(isRead ? .canceled : .connectionReset))
    let failure = RelayState.Failure(
      side: isRead ? .source : .destination,
      reason: .connectionReset
    )
    #expect(model.state.failure == failure)
    #expect(model.reportCount == 1)
  }

  @Test("The number of bytes is never exceeded, and ends the relay")
  func count() {
    var model = Model.begun(count: 100)
    model.grant()
    #expect(model.reading == 100)
    model.answerRead(.success(60))
    model.grant()
    #expect(model.reading == 40)
    model.answerRead(.success(40))
    model.answerWrite(.success(60))
    #expect(model.reportCount == 0)
    model.answerWrite(.success(40))
    #expect(model.reportCount == 1 && model.state.failure == nil)
    #expect(model.ended == [.source, .destination])
  }

  @Test("The end and the error of a read come after its bytes")
  func draining() {
    let results: [Result<Int, SystemError>] = [.success(0), .failure(.ioError)]
    for result in results {
      var model = Model.begun()
      model.grant()
      model.answerRead(.success(10))
      model.grant()
      model.answerRead(result)
      #expect(model.reportCount == 0 && model.wanted == nil)
      model.answerWrite(.success(10))
      #expect(model.reportCount == 1)
      let isError = result != .success(0)
      #expect(
        model.state.failure
          == (isError ? RelayState.Failure(side: .source, reason: .ioError) : nil)
      )
    }
  }

  @Test("The error of a write ends the read")
  func errorOfAWrite() {
    let results: [Result<Int, SystemError>] = [.success(0), .failure(.ioError)]
    for result in results {
      var model = Model.begun()
      model.grant()
      model.answerRead(.success(10))
      model.grant()
      model.answerWrite(result)
      #expect(model.cancelled == [.source] && model.reportCount == 0)
      // The read may bring bytes although it was cancelled.
      model.answerRead(.success(5))
      #expect(model.reportCount == 1)
      #expect(model.state.readCount == 15 && model.state.writtenCount == 0)
      #expect(model.state.failure == RelayState.Failure(side: .destination, reason: .ioError))
    }
  }

  @Test("A relay that waits for memory ends with a stop, and returns memory that comes later")
  func stopInTheWaitForMemory() {
    var model = Model.begun()
    model.stop()
    #expect(model.reportCount == 1)
    model.grant()
    #expect(model.held == 0 && model.reading == nil)
  }

  @Test("Operations that begin after the end have ended at once")
  func endBeforeTheStart() {
    var stopped = Model()
    stopped.stop()
    #expect(stopped.reportCount == 0)
    stopped.begin(.source)
    stopped.join()
    #expect(stopped.reportCount == 1 && stopped.ended == [.source])
    stopped.begin(.destination)
    #expect(stopped.ended == [.source, .destination])
    var refused = Model()
    let refusal = RelayState.Failure(side: .destination, reason: .canceled)
    refused.join(refusal)
    #expect(refused.state.failure == refusal)
    refused.begin(.source)
    #expect(refused.ended == [.source])
    var failed = Model()
    failed.join()
    failed.begin(.destination)
    failed.begin(.source, .badFileDescriptor)
    #expect(failed.ended == [.destination, .source])
    #expect(failed.state.failure == RelayState.Failure(side: .source, reason: .badFileDescriptor))
  }

  @Test("Any order of events reports once, releases all memory, and loses no byte")
  func anyOrder() {
    var random = SeededGenerator(for: "relays")
    for _ in 0..<2_000 {
      let count = random.chance(percent: 50) ? random.number(in: 1..<1_000_000) : Int.max
      let step = 1 << random.number(in: 10..<21)
      let room = [1, 4096, .max][random.number(in: 0..<3)]
      var model = Model(count: count, step: step)
      var steps: [(inout Model) -> Void] = [
        { $0.join() }, { $0.begin(.source, messageRoom: room) }, { $0.begin(.destination) },
      ]
      steps.shuffle(using: &random)
      var left = random.number(in: 0..<500_000)
      var eventCount = 0
      var isReset = false
      /// Whether a call meets a reset, which is likelier during a stop.
      func meetsReset() -> Bool {
        let isMet = random.chance(percent: model.state.failure == nil ? 1 : 30)
        isReset = isReset || isMet
        return isMet
      }
      while model.reportCount == 0 || !steps.isEmpty {
        eventCount += 1
        if random.chance(percent: 1) || eventCount > 10_000 { model.stop() }
        if let step = steps.popLast() { step(&model) }
        if random.chance(percent: 50) { model.grant() }
        if let most = model.reading, random.chance(percent: 50) {
          #expect(most >= min(room, step, count - model.state.readCount))
          let got = min(left, random.number(in: 1..<most + 1))
          left -= got
          model.answerRead(meetsReset() ? .failure(.connectionReset) : .success(got))
        }
        if model.isWriting, random.chance(percent: 50) {
          let count = random.number(in: 1..<model.pieces[0] + 1)
          model.answerWrite(meetsReset() ? .failure(.connectionReset) : .success(count))
        }
        #expect(model.pieces.count <= RelayState.pieceLimit && model.state.readCount <= count)
      }
      model.grant()
      #expect(model.reportCount == 1 && model.held == 0)
      #expect(Set(model.ended) == [.source, .destination])
      #expect(model.mostHeld <= 2 << 20)
      let unwritten = model.state.readCount - model.state.writtenCount
      #expect(unwritten == model.pieces.reduce(0, +))
      if model.state.failure == nil { #expect(unwritten == 0) }
      if isReset { #expect(model.state.failure?.reason == .connectionReset) }
    }
  }
}
