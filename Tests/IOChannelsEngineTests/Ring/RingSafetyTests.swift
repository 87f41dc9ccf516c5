import CIOChannelsURing
import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@testable import IOChannelsEngine

@Suite("Restrictions of a ring")
struct RingSafetyTests {
  /// The answer to an entry that `fill` makes, from a ring of the calling thread's.
  private func answer(_ fill: (UnsafeMutablePointer<io_uring_sqe>) -> Void) throws -> Int32? {
    let ring = try Ring()
    try ring.enable(workers: 1)
    let isPrepared = unsafe ring.prepare(1, fill)
    #expect(isPrepared)
    try ring.submit(answers: 1)
    return ring.takeCompletion()?.result
  }

  @Test("A request that the engine never submits is refused", .needs(.ring))
  func aRequestThatTheEngineNeverMakesIsRefused() throws {
    let forbidden = try unsafe answer {
      unsafe io_uring_prep_unlinkat($0, -100, "/nonexistent/file", 0)
    }
    #expect(forbidden == -SystemError.permissionDenied.rawValue)
    let flagged = try unsafe answer {
      unsafe io_uring_prep_nop($0)
      unsafe io_uring_sqe_set_flags($0, UInt32(1 << IOSQE_ASYNC_BIT))
    }
    #expect(flagged == -SystemError.permissionDenied.rawValue)
    let allowed = try unsafe answer { unsafe io_uring_prep_nop($0) }
    #expect(allowed == 0)
  }

  @Test("A change that the engine never makes is refused", .needs(.ring))
  func aChangeThatTheEngineNeverMakesIsRefused() throws {
    let ring = try Ring()
    try ring.enable(workers: 1)
    // Those of other threads, which run tests, answer that they belong to them.
    let directory = try BorrowedDescriptor.workingDirectory.open("/proc/self/fdinfo", .directory)
    var reader = DirectoryReader()
    var entries: [DirectoryEntry] = []
    while try reader.read(directory.borrowed, into: &entries) != nil {}
    let numbers = entries.compactMap { UInt32(String(decoding: $0.name.bytes, as: UTF8.self)) }
    let rings = numbers.filter { number in
      (try? content(of: "/proc/self/fdinfo/\(number)").contains("SqMask")) ?? false
    }
    let answers = rings.map { number in
      io_uring_register(number, UInt32(IORING_REGISTER_BUFFERS), nil, 1)
    }
    #expect(answers.contains(-SystemError.permissionDenied.rawValue))
    #expect(answers.allSatisfy { $0 < 0 })
    let prepared = ring.prepareNothing(token: 1)
    #expect(prepared)
  }

  @Test("More completions than the ring holds stay in order", .needs(.ring))
  func moreAnswersThanTheRingHasRoomForStayInOrder() throws {
    let ring = try Ring()
    try ring.enable(workers: 1)
    let count = 2 * UInt64(Ring.completionEntries)
    for token in 0..<count {
      if !ring.prepareNothing(token: token) {
        try ring.submit(answers: 0)
        let isPrepared = ring.prepareNothing(token: token)
        #expect(isPrepared)
      }
    }
    try ring.submit(answers: 0)
    for token in 0..<count {
      let completion = ring.takeCompletion()
      #expect(completion?.token == token && completion?.result == 0)
      if completion == nil { break }
    }
    let isEmpty = ring.takeCompletion() == nil
    #expect(isEmpty)
  }

  /// A cancellation has an answer besides that of its request: all waiting reads that a ring takes
  /// at a time and their cancellations have more than its queue holds.
  @Test("All requests of a ring can be cancelled at once", .needs(.ring))
  func allThatARingHoldsCanBeCancelledAtOnce() async throws {
    let engine = Engine(setting: "uring")
    let ends = try PipeEnds()
    let traits = try DescriptorTraits(of: ends.reading.borrowed)
    let answers = Answers()
    var requests: [Request] = []
    for tag in 0..<Int(Ring.completionEntries) {
      let buffer = try #require(BufferPool.shared.makeBuffer(atLeast: 1))
      requests.append(
        Request(
          .read(buffer, 0..<1),
          descriptor: ends.reading.borrowed,
          traits: traits,
          offset: nil,
          tag: tag,
          owner: answers
        )
      )
    }
    requests.forEach(engine.submit)
    requests.forEach(engine.cancel)
    let results = await answers.results(requests.count)
    #expect(results.count == requests.count)
    #expect(results.values.allSatisfy { $0 == .failure(.canceled) })
  }

  @Test("Only an idle wait is no wait for a disk")
  func onlyAnIdleWaitIsNoneForADisk() {
    let all = UInt32.max
    let busy = Ring.enterFlags(isIdle: false, features: all, isRegistered: false)
    #expect(busy == 1)
    #expect(Ring.enterFlags(isIdle: true, features: all, isRegistered: false) == 1 | 1 << 7)
    #expect(Ring.enterFlags(isIdle: true, features: ~(1 << 17), isRegistered: false) == 1)
    #expect(Ring.enterFlags(isIdle: false, features: all, isRegistered: true) == 1 | 1 << 4)
  }
}
