import Glibc
import DataRegions
import QueueRuntime
import Synchronization
import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@testable import IOChannelsEngine

@Suite("Shutdowns with requests that do not end")
struct ShutdownTests {
  @Test("A call that does not return is reported")
  func aCallThatDoesNotReturnIsReported() async throws {
    let engine = Engine(setting: "threads")
    let ends = try PipeEnds()
    let asker = Asker(engine)
    // With these traits nothing asks the pipe not to wait, and nothing interrupts the call.
    let request = asker.submit(
      .write(DataBuffer([UInt8](repeating: 7, count: 1 << 20))),
      of: ends.writing.borrowed,
      traits: DescriptorTraits(kind: .seekable, fileSystem: .ext4)
    )
    var byte: [UInt8] = [0]
    #expect(try ends.reading.borrowed.read(into: &byte) == 1, "the call is under way")
    #expect(engine.shutDown(within: .milliseconds(50)) == Shutdown(stuckOnThreads: 1))
    #expect(await asker.answer(to: request) == .failure(.canceled))
    #expect(engine.shutDown(within: .zero).isClean, "it is reported once")
    // The call returns with an error now, of which nobody is told: the answers take one each.
    _ = ends.closeReading()
  }

  @Test("A request that the kernel cancels is not stuck", .needs(.ring))
  func whatTheKernelCanCancelIsNotStuck() async throws {
    let engine = Engine(setting: "uring", routing: .ring)
    let ends = try PipeEnds()
    let asker = Asker(engine)
    let traits = try DescriptorTraits(of: ends.reading.borrowed)
    let buffer = try #require(BufferPool.shared.makeBuffer(atLeast: 1))
    let requests = (0..<200).map { _ in
      asker.submit(.read(buffer, 0..<1), of: ends.reading.borrowed, traits: traits)
    }
    #expect(engine.shutDown(within: .seconds(30)).isClean)
    for request in requests {
      #expect(await asker.answer(to: request) == .failure(.canceled))
    }
  }

  @Test("A request stuck in a frozen file system is reported", .needs(.ring, .root, .loop))
  func aRequestStuckInAFrozenFileSystemIsReported() async throws {
    let image = try LoopImage(.ext4, megabytes: 32)
    let file = try openFile("\(image.path)/file", [.readWrite, .create])
    let traits = try DescriptorTraits(of: file.borrowed)
    let engine = Engine(setting: "uring", routing: .ring)
    let asker = Asker(engine)
    try runSuccessfully(["fsfreeze", "-f", image.path])
    let request = asker.submit(
      .write(DataBuffer([1, 2, 3])),
      of: file.borrowed,
      traits: traits,
      offset: 0
    )
    try waitForFrozenThread(ofKernel: true)
    let shutdown = engine.shutDown(within: .milliseconds(50))
    try runSuccessfully(["fsfreeze", "-u", image.path])
    #expect(shutdown == Shutdown(stuckOnRing: 1))
    #expect(await asker.answer(to: request) == .failure(.canceled))
  }

  @Test("A shutdown returns after the owners were notified")
  func aShutdownReturnsWhenTheOwnersWereTold() throws {
    let engine = Engine(setting: "threads", pool: BlockingPool(name: "ends", width: 2))
    let slow = SlowOwner()
    let quick = Answers()
    let ends = try PipeEnds()
    let traits = try DescriptorTraits(of: ends.reading.borrowed)
    let buffer = try #require(BufferPool.shared.makeBuffer(atLeast: 1))
    let requests = ([slow, quick] as [any RequestOwner]).map { owner in
      Request(
        .read(buffer, 0..<1),
        descriptor: ends.reading.borrowed,
        traits: traits,
        tag: 0,
        owner: owner
      )
    }
    for request in requests { engine.submit(request) }
    engine.cancel(requests[0])
    slow.hasBegun.wait()
    #expect(engine.shutDown(within: .seconds(30)).isClean)
    slow.shutdownReturned.signal()
    #expect(slow.wasFirst.load(ordering: .acquiring) == true)
  }

  @Test("A descriptor that comes too late is closed", .needs(.loop, .root))
  func lateOpening() async throws {
    let image = try LoopImage(.ext4, megabytes: 32)
    let path = "\(image.path)/new"
    let engine = Engine(setting: "threads")
    let asker = Asker(engine)
    try runSuccessfully(["fsfreeze", "-f", image.path])
    // No signal ends the call.
    let request = asker.submit(
      .open(BytePath(path), [.writeOnly, .create], permissions: 0o600)
    )
    try waitForFrozenThread(ofKernel: false)
    let shutdown = engine.shutDown(within: .milliseconds(50))
    try runSuccessfully(["fsfreeze", "-u", image.path])
    #expect(shutdown == Shutdown(stuckOnThreads: 1))
    #expect(await asker.answer(to: request) == .failure(.canceled))
    // An image with an open file cannot be unmounted.
    var looks = 0
    while try !isPresent(path) || isOpen(path), looks < 2000 { looks += 1 }
    #expect(try !isOpen(path))
  }

  /// Whether a file has a name. Each look starts a program, which leaves other threads their time.
  private func isPresent(_ path: String) throws -> Bool {
    try run(["test", "-e", path]).status == 0
  }

  /// Whether this process has a file open.
  private func isOpen(_ path: String) throws -> Bool {
    try run(["ls", "-l", "/proc/\(getpid())/fd"]).outputText.contains(path)
  }

  @Test("A close that may have begun is not reported as cancelled")
  func aCloseThatMayHaveBegunIsNotCalledCancelled() {
    var open = OpenRequests(limits: .init(perDevice: 4, openings: 4, waiting: 4, quietWaiting: 4))
    let owner = Answers()
    let requests = [Request.Operation.close, .close, .synchronize(dataOnly: true)].enumerated()
      .map { Request($1, descriptor: .workingDirectory, tag: $0, owner: owner) }
    let may = requests.map { open.add($0) } + requests.dropFirst().map { open.beginCall($0) }
    #expect(!may.contains(false))
    let errors = open.removeAll().unreported.map { ($0.tag, $1) }.sorted { $0.0 < $1.0 }.map(\.1)
    #expect(errors == [.canceled, .timedOut, .canceled])
  }

  /// Waits until a thread of this process waits for a frozen file system: a worker of the kernel,
  /// or another one.
  private func waitForFrozenThread(ofKernel: Bool) throws {
    let script = """
      for task in /proc/$0/task/*; do
        if grep -q percpu_rwsem_wait $task/wchan; then cat $task/comm; fi
      done 2>/dev/null; true
      """
    for _ in 0..<2000 {
      let names = try run(["sh", "-c", script, "\(getpid())"]).outputText.split(separator: "\n")
      if names.contains(where: { $0.hasPrefix("iou-wrk-") == ofKernel }) { return }
    }
    throw TestFailure("no thread waits for the file system")
  }
}

/// Takes its answer until the shutdown has returned, or for some time if that waits.
private final class SlowOwner: RequestOwner {
  let hasBegun = CountingSemaphore(value: 0)
  let shutdownReturned = CountingSemaphore(value: 0)
  let wasFirst = Atomic<Bool>(false)

  func requestEnded(_ request: Request, with result: TransferResult) {
    hasBegun.signal()
    let waited = shutdownReturned.wait(timeout: .now() + .milliseconds(300))
    wasFirst.store(waited == .timedOut, ordering: .releasing)
  }
}
