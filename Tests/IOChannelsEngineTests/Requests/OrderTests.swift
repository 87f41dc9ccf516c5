import DataRegions
import QueueRuntime
import Synchronization
import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@testable import IOChannelsEngine

@Suite("Order and priority of requests")
struct OrderTests {
  /// The sizes go both ways of the routing table.
  @Test("Appends are written in the order of submission", arguments: ["uring", "threads"])
  func appendedBytesComeInTheOrderOfSubmission(setting: String) async throws {
    if setting == "uring" { try Need.ring.orSkip() }
    let engine = Engine(setting: setting)
    let asker = Asker(engine)
    let place = try TemporaryDirectory()
    let file = try openFile(place("file"), [.readWrite, .create])
    try file.borrowed.setStatusFlags(.append)
    let traits = try DescriptorTraits(of: file.borrowed)
    #expect(traits.isAppending)
    var expected: [UInt8] = []
    var requests: [Request] = []
    for number in 0..<150 {
      let length = number % 10 == 0 ? 1 << 20 : 512 + number
      let bytes = [UInt8](repeating: UInt8(number), count: length)
      let request = asker.submit(
        .write(DataBuffer(bytes)),
        of: file.borrowed,
        traits: traits,
        offset: 0
      )
      // What waits behind the others can be cancelled, and holds nobody up.
      if number % 7 == 6 { engine.cancel(request) }
      requests.append(request)
    }
    for (number, request) in requests.enumerated() {
      let answer = await asker.answer(to: request)
      if answer == .failure(.canceled), number % 7 == 6 { continue }
      let count = try #require(try answer?.get())
      // Of one that is cancelled between two of its pieces (S178) some may be written.
      let isInPart = number % 7 == 6 && count > 0 && count % Request.pieceLimit == 0
      #expect(count == request.length || isInPart)
      expected += [UInt8](repeating: UInt8(number), count: count)
    }
    var content = [UInt8](repeating: 0, count: expected.count + 1)
    var count = 0
    while count < expected.count {
      var rest = [UInt8](repeating: 0, count: 1 << 20)
      let step = try file.borrowed.read(into: &rest, at: Int64(count))
      if step == 0 { break }
      content.replaceSubrange(count..<count + step, with: rest[..<step])
      count += step
    }
    let isInOrder = content.dropLast() == expected[...]
    #expect(count == expected.count && isInOrder)
  }

  @Test("An append that was cancelled first waits for no other")
  func anAppendThatWasCancelledFirstWaitsForNobody() async throws {
    let engine = Engine(setting: "threads")
    let ends = try PipeEnds()
    var traits = try DescriptorTraits(of: ends.writing.borrowed)
    traits.isAppending = true
    let bytes = DataBuffer([UInt8](repeating: 7, count: 1 << 20))
    let answers = Answers()
    let owner = EndOwner()
    let requests = ([answers, answers, owner] as [any RequestOwner]).enumerated().map {
      Request(
        .write(bytes),
        descriptor: ends.writing.borrowed,
        traits: traits,
        tag: $0,
        owner: $1
      )
    }
    // The first fills the pipe, so that the second stays under way.
    engine.submit(requests[0])
    _ = await answers.results(1)
    engine.submit(requests[1])
    engine.cancel(requests[2])
    engine.submit(requests[2])
    func hasEnded() -> Bool { owner.ended.wait(timeout: .now() + .seconds(10)) == .success }
    #expect(hasEnded())
    engine.cancel(requests[1])
    #expect(await answers.results(2)[1] == .failure(.canceled))
  }

  /// A pipe takes some bytes at a time, so that an append has a rest, and another one waits.
  @Test("The rest of an append is written before the next one", arguments: ["uring", "threads"])
  func theRestOfAnAppendGoesBeforeTheNext(setting: String) async throws {
    if setting == "uring" { try Need.ring.orSkip() }
    let engine = Engine(setting: setting)
    let ends = try PipeEnds()
    var traits = try DescriptorTraits(of: ends.writing.borrowed)
    traits.isAppending = true
    let owner = AppendOwner(engine, ends.writing.borrowed, traits)
    let count = 300_000
    for byte in UInt8(1)...3 { owner.append([UInt8](repeating: byte, count: count)) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 65536)
    while bytes.count < 3 * count {
      let read = try ends.reading.borrowed.read(into: &part)
      bytes += part.prefix(read)
    }
    let isInOrder = bytes == (UInt8(1)...3).flatMap { [UInt8](repeating: $0, count: count) }
    #expect(isInOrder)
    #expect(owner.restCount.load(ordering: .relaxed) > 3)
  }

  @Test("Only one append of a descriptor is in flight")
  func onlyOneAppendOfADescriptorGoes() throws {
    let answers = Answers()
    func append(to number: Int32) -> Request {
      Request(
        .write(DataBuffer([1])),
        descriptor: BorrowedDescriptor(rawValue: number),
        tag: 0,
        owner: answers
      )
    }
    var order = AppendOrder()
    let requests = (0..<4).map { _ in append(to: 1) }
    let begun = requests.map { order.begin($0) }
    #expect(begun == [true, false, false, false])
    let other = order.begin(append(to: 2))
    #expect(other, "descriptors do not wait for each other")
    let isCancelled = [order.cancel(requests[0]), order.cancel(requests[1])]
    #expect(isCancelled == [false, true])
    let next = order.ended(requests[0])
    #expect(next === requests[2])
    let isLastCancelled = order.cancel(requests[3])
    #expect(isLastCancelled)
    let last = order.ended(requests[2])
    #expect(last == nil)
    let again = order.begin(requests[1])
    #expect(again, "nobody is left")
  }

  @Test(
    "Reads of every priority complete",
    arguments: Way.allCases,
    WorkQueue.QoS.QoSClass.allCases
  )
  func everyPriorityReads(way: Way, priority: WorkQueue.QoS.QoSClass) async throws {
    let asker = Asker(try way.engine())
    let place = try TemporaryDirectory()
    let file = try openFile(try place.write([7], to: "file"))
    let buffer = try #require(BufferPool.shared.makeBuffer(atLeast: 1))
    let read = asker.submit(
      .read(buffer, 0..<1),
      of: file.borrowed,
      // Whatever it lies on: the ring carries no files of unknown file systems.
      traits: DescriptorTraits(kind: .seekable, fileSystem: .ext4),
      offset: 0,
      priority: priority
    )
    let places: [WorkQueue.QoS.QoSClass: UInt16] = [.background: 0x6000, .utility: 0x4007]
    #expect(read.diskPriority == places[priority] ?? 0)
    #expect(await asker.answer(to: read) == .success(1))
    way.expectCarried(1, by: asker.engine)
  }

  @Test("Plain calls run on workers of their class")
  func plainCallsRunOnWorkersOfTheirClass() async throws {
    let owner = PlaceOwner()
    let place = await withCheckedContinuation { continuation in
      owner.continuation = continuation
      let request = Request(
        .status(nil, following: false),
        descriptor: .workingDirectory,
        priority: .background,
        tag: 0,
        owner: owner
      )
      Engine(setting: "threads").submit(request)
    }
    #expect(place.yieldsDisks)
  }

  @Test("The follow-up of a request runs on a worker of its own class")
  func whatFollowsAnEndRunsOnAWorkerOfItsOwnClass() async throws {
    let directory = try TemporaryDirectory()
    let file = try openFile(directory.write([7], to: "file"))
    let (engine, owner) = (Engine(setting: "threads"), PlaceOwner())
    let (first, second) = (
      try #require(BufferPool.shared.makeBuffer(atLeast: 1)),
      try #require(BufferPool.shared.makeBuffer(atLeast: 1))
    )
    let following = SubmittingOwner(engine) {
      Request(
        .read(second, 0..<1),
        descriptor: file.borrowed,
        offset: 0,
        priority: .userInitiated,
        tag: 1,
        owner: owner
      )
    }
    let place = await withCheckedContinuation { continuation in
      owner.continuation = continuation
      let request = Request(
        .read(first, 0..<1),
        descriptor: file.borrowed,
        offset: 0,
        priority: .background,
        tag: 0,
        owner: following
      )
      engine.submit(request)
    }
    #expect(!place.yieldsDisks)
  }
}

/// Asks for another request when its own has ended, on the thread that tells so.
private final class SubmittingOwner: RequestOwner {
  private let engine: Engine
  private let next: @Sendable () -> Request

  init(_ engine: Engine, next: @escaping @Sendable () -> Request) {
    self.engine = engine
    self.next = next
  }

  func requestEnded(_ request: Request, with result: TransferResult) {
    engine.submit(next())
  }
}

/// Tells on which thread its request ended. Set once before the request is submitted.
private final class PlaceOwner: RequestOwner, @unchecked Sendable {
  var continuation: CheckedContinuation<ThreadPlace, Never>?

  func requestEnded(_ request: Request, with result: TransferResult) {
    continuation?.resume(returning: .current)
  }
}

/// Goes on with its appends until all bytes are written.
private final class AppendOwner: RequestOwner {
  private let engine: Engine
  private let file: BorrowedDescriptor
  private let traits: DescriptorTraits
  let restCount = Atomic<Int>(0)

  init(_ engine: Engine, _ file: BorrowedDescriptor, _ traits: DescriptorTraits) {
    self.engine = engine
    self.file = file
    self.traits = traits
  }

  func append(_ bytes: [UInt8]) {
    submit(DataBuffer(bytes), isRest: false)
  }

  private func submit(_ data: DataBuffer, isRest: Bool) {
    engine.submit(
      Request(
        .write(data),
        descriptor: file,
        traits: traits,
        isRest: isRest,
        tag: 0,
        owner: self
      )
    )
  }

  func requestEnded(_ request: Request, with result: TransferResult) {
    guard case .write(let data) = request.operation, case .success(let count) = result,
      count < data.count
    else { return }
    restCount.add(1, ordering: .relaxed)
    submit(data.subdata(in: count..<data.count), isRest: true)
  }
}

/// Tells that its request has ended.
private final class EndOwner: RequestOwner {
  let ended = CountingSemaphore(value: 0)

  func requestEnded(_ request: Request, with result: TransferResult) {
    ended.signal()
  }
}
