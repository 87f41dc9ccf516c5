import DataRegions
import Synchronization
import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@testable import IOChannelsEngine

@Suite("Pieces of buffered writes (S178)")
struct PieceTests {
  private static let limit = 100

  private func request(
    _ length: Int,
    kind: DescriptorTraits.Kind = .seekable,
    offset: Int64? = 4096,
    isDirect: Bool = false,
    owner: Answers = Answers()
  ) -> Request {
    Request(
      .write(DataBuffer((0..<length).map { UInt8(truncatingIfNeeded: $0) })),
      descriptor: BorrowedDescriptor(rawValue: 9),
      traits: DescriptorTraits(kind: kind, fileSystem: .ext4, isDirect: isDirect),
      offset: offset,
      tag: 0,
      owner: owner
    )
  }

  /// Has a scheduler start a request, and gives the piece and the slot.
  private func start(
    _ scheduler: inout RequestScheduler
  ) -> (piece: Range<Int>, offset: Int64?, slot: SlotID)? {
    var actions: [RequestScheduler.Action] = []
    scheduler.start(at: 0, &actions)
    guard case .start(let request, let slot)? = actions.first else { return nil }
    return (request.piece, request.pieceOffset, slot)
  }

  /// The same for one that must start something.
  private func started(
    _ scheduler: inout RequestScheduler
  ) throws -> (piece: Range<Int>, offset: Int64?, slot: SlotID) {
    guard let started = start(&scheduler) else { throw TestFailure("nothing is started") }
    return started
  }

  private func scheduler() -> RequestScheduler {
    RequestScheduler(
      limits: .init(
        requests: 4,
        pollable: 4,
        perDevice: 4,
        workersPerDevice: 4,
        piece: Self.limit
      )
    )
  }

  private func answer(_ actions: [RequestScheduler.Action]) -> Int32? {
    guard case .end(_, let answer)? = actions.first else { return nil }
    return answer
  }

  @Test("Pieces follow each other, and the owner gets one result for all")
  func piecesFollowEachOtherAndTheOwnerHearsOfAllOfThem() throws {
    var scheduler = scheduler()
    let request = request(250)
    scheduler.submit(request)
    var pieces: [Range<Int>] = []
    var offsets: [Int64?] = []
    var actions: [RequestScheduler.Action] = []
    while let started = start(&scheduler) {
      pieces.append(started.piece)
      offsets.append(started.offset)
      #expect(actions.isEmpty, "only the last piece ends it")
      _ = scheduler.answered(started.slot, Int32(started.piece.count), &actions)
    }
    #expect(pieces == [0..<100, 100..<200, 200..<250])
    #expect(offsets == [4096, 4196, 4296])
    #expect(answer(actions) == 250)
  }

  private static let lastAnswers: [(Int32, told: Int32)] = [
    (40, told: 140), (0, told: 100), (-SystemError.noSpace.rawValue, told: 100),
    (-SystemError.ioError.rawValue, told: 100),
  ]

  @Test("A piece that fails ends the write with the bytes before", arguments: lastAnswers)
  func aPieceThatFailsEndsTheWriteWithWhatWasWritten(last: Int32, told: Int32) throws {
    var scheduler = scheduler()
    let request = request(250)
    scheduler.submit(request)
    var actions: [RequestScheduler.Action] = []
    _ = scheduler.answered(try started(&scheduler).slot, 100, &actions)
    _ = scheduler.answered(try started(&scheduler).slot, last, &actions)
    #expect(answer(actions) == told)
    #expect(start(&scheduler) == nil)
  }

  @Test("An error of the first piece is reported")
  func anErrorOfTheFirstPieceIsTold() throws {
    var scheduler = scheduler()
    scheduler.submit(request(250))
    var actions: [RequestScheduler.Action] = []
    let error = -SystemError.noSpace.rawValue
    _ = scheduler.answered(try started(&scheduler).slot, error, &actions)
    #expect(answer(actions) == error)
  }

  @Test("An interrupted piece is tried again")
  func anInterruptedPieceIsTriedAgain() throws {
    var scheduler = scheduler()
    scheduler.submit(request(150))
    var actions: [RequestScheduler.Action] = []
    _ = scheduler.answered(try started(&scheduler).slot, 100, &actions)
    let second = try started(&scheduler)
    _ = scheduler.answered(second.slot, -SystemError.interrupted.rawValue, &actions)
    #expect(actions.isEmpty)
    let again = try started(&scheduler)
    #expect(again.piece == 100..<150)
    _ = scheduler.answered(again.slot, 50, &actions)
    #expect(answer(actions) == 150)
  }

  @Test("A cancelled write reports its bytes and stops")
  func aCancelledWriteTellsWhatWasWrittenAndGoesNoFurther() throws {
    var scheduler = scheduler()
    let (between, during) = (request(250), request(250))
    for request in [between, during] { scheduler.submit(request) }
    var actions: [RequestScheduler.Action] = []
    scheduler.start(at: 0, &actions)
    actions = []
    _ = scheduler.answered(try #require(between.slot), 100, &actions)
    for request in [between, during] {
      request.isCancelled.store(true, ordering: .releasing)
      scheduler.cancel(request, &actions)
    }
    _ = scheduler.answered(try #require(during.slot), 100, &actions)
    actions = actions.filter { if case .end = $0 { true } else { false } }
    #expect(answer(actions) == 100)
    actions = []
    scheduler.start(at: 0, &actions)
    #expect(actions.count == 1)
    #expect(answer(actions) == 100)
  }

  @Test("Threads continue with the next piece")
  func threadsGoOnWithTheNextPiece() throws {
    var scheduler = scheduler()
    let request = request(250)
    scheduler.submit(request)
    var actions: [RequestScheduler.Action] = []
    _ = scheduler.answered(try started(&scheduler).slot, 100, &actions)
    let second = try started(&scheduler)
    _ = scheduler.answered(second.slot, -SystemError.notSupported.rawValue, &actions)
    guard case .reroute(let rerouted)? = actions.first else {
      Issue.record("the threads do not get it")
      return
    }
    #expect(rerouted === request && request.piece.lowerBound == 100)
    #expect(request.whole(.success(150)) == .success(250))
    #expect(request.whole(.failure(.ioError)) == .success(100))
  }

  @Test("Only buffered writes of files are divided")
  func onlyBufferedWritesOfFilesAreCut() throws {
    let whole = [
      request(100), request(250, kind: .pollable), request(8192, offset: 4096, isDirect: true),
    ]
    for request in whole {
      request.cut(at: Self.limit)
      #expect(request.piece == 0..<request.length)
    }
    // What does not suit a disk goes through the page cache.
    let odd = request(250, offset: 1, isDirect: true)
    odd.cut(at: Self.limit)
    #expect(odd.piece == 0..<100)
    let buffer = try #require(BufferPool.shared.makeBuffer(atLeast: 1 << 20))
    let read = Request(
      .read(buffer, 0..<1 << 20),
      descriptor: BorrowedDescriptor(rawValue: 9),
      tag: 0,
      owner: Answers()
    )
    read.cut(at: Self.limit)
    #expect(read.piece == 0..<1 << 20)
  }
}
