import DataRegions
import IOChannelsLocks
import QueueRuntime
import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@testable import IOChannelsEngine

/// An owner that asks for the next request when one has ended, and notes on which threads.
private final class Chain: RequestOwner {
  private let engine: Engine
  private let file: BorrowedDescriptor
  private let traits: DescriptorTraits
  private let count: Int
  private let ended = BargingLock<[Int32]>([])
  let group = WorkGroup()

  init(_ engine: Engine, _ file: BorrowedDescriptor, count: Int) throws {
    self.engine = engine
    self.file = file
    traits = try DescriptorTraits(of: file)
    self.count = count
    group.enter()
  }

  var threads: [Int32] { ended.withLock { $0 } }

  func submit(_ number: Int) {
    let operation = Request.Operation.write(DataBuffer([UInt8(truncatingIfNeeded: number)]))
    let offset = Int64(number)
    engine.submit(
      Request(
        operation,
        descriptor: file,
        traits: traits,
        offset: offset,
        tag: number,
        owner: self
      )
    )
  }

  func requestEnded(_ request: Request, with result: TransferResult) {
    let done = ended.withLock { ended in
      ended.append(PlatformThread.currentNumber)
      return ended.count
    }
    if done < count { submit(done) } else { group.leave() }
  }
}

@Suite("Chains of plain calls")
struct FollowUpTests {
  private func run(_ count: Int) async throws -> (jobs: Int, threads: [Int32], bytes: [UInt8]) {
    let directory = try TemporaryDirectory()
    let file = try openFile("\(directory.path)/file", [.readWrite, .create])
    let pool = BlockingPool(name: "follow", width: 2)
    let engine = Engine(setting: "threads", pool: pool)
    let chain = try Chain(engine, file.borrowed, count: count)
    chain.submit(0)
    try await chain.group.completion()
    var bytes = [UInt8](repeating: 0, count: count)
    let read = try file.borrowed.read(into: &bytes)
    #expect(read == count)
    #expect(engine.becomesIdle())
    return (pool.workers.statistics().submittedJobCount, chain.threads, bytes)
  }

  @Test("A chain of requests stays on its thread")
  func aChainStaysOnItsThread() async throws {
    let (jobs, threads, bytes) = try await run(60)
    #expect(jobs == 1)
    #expect(Set(threads).count == 1)
    #expect(bytes == (0..<60).map { UInt8($0) })
  }

  /// After a bounded number of requests the thread is free for others.
  @Test("A long chain of requests runs in order")
  func aLongChainGoesOnInOrder() async throws {
    let (jobs, threads, bytes) = try await run(1000)
    #expect(jobs == 16)
    #expect(threads.count == 1000)
    #expect(bytes == (0..<1000).map { UInt8(truncatingIfNeeded: $0) })
  }
}
