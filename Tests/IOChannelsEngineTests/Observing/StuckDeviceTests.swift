import DataRegions
import IOChannelsLocks
import QueueRuntime
import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@testable import IOChannelsEngine

@Suite("Devices that do not answer (S117, S119, S123, F16)", .needs(.loop, .root))
struct StuckDeviceTests {
  /// An image with files of its own, and requests that need its journal.
  private final class Device {
    let image: LoopImage
    let directory: OwnedDescriptor
    let files: [BorrowedDescriptor]
    let traits: DescriptorTraits

    init(files count: Int) throws {
      let image = try LoopImage(.ext4, megabytes: 32)
      self.image = image
      directory = try openFile(image.path, .directory)
      files = try (0..<count).map { number in
        let file = try openFile("\(image.path)/\(number)", [.readWrite, .create])
        return BorrowedDescriptor(rawValue: file.release())
      }
      let status = try directory.borrowed.status()
      traits = DescriptorTraits(
        kind: .seekable,
        fileSystem: .ext4,
        device: status.identity.device
      )
    }

    deinit {
      for file in files { _ = OwnedDescriptor(owning: file.rawValue) }
    }

    /// A write of each file, then synchronizations, then openings of files that there are not.
    func operations(_ count: Int) -> [(Request.Operation, BorrowedDescriptor)] {
      (0..<count).map { number in
        switch number % 4 {
        case 0, 1: (.write(DataBuffer([1])), files[number])
        case 2: (.synchronize(dataOnly: number % 8 == 2), files[number])
        default:
          (
            .open(BytePath("new-\(number)"), [.readWrite, .create], permissions: 0o600),
            directory.borrowed
          )
        }
      }
    }
  }

  /// More requests than the kernel has workers for a ring, and than the pool has threads.
  @Test("A frozen device delays no other device", arguments: ["ring", "pool", "threads"])
  func aFrozenDeviceKeepsNoOther(name: String) throws {
    if name != "threads" { try Need.ring.orSkip() }
    let engine = Engine(
      setting: name == "threads" ? "threads" : "uring",
      routing: name == "ring" ? .ring : .pool,
      pool: BlockingPool(name: "stuck", width: 2, maximum: 32)
    )
    let (frozen, free) = (try Device(files: 280), try Device(files: 16))
    let (stuck, others) = (Tally(), Tally())
    try runSuccessfully(["fsfreeze", "-f", frozen.image.path])
    defer { _ = try? run(["fsfreeze", "-u", frozen.image.path]) }
    let kept = submit(frozen.operations(280), of: frozen, to: engine, stuck)
    // All that can be with the kernel is there before the others come, and its workers have begun:
    // a write that they take along with one that hangs cannot be taken back.
    let expected = name == "ring" ? RingSet.workerLimit / 4 + 8 : 8
    let deadline = Deadline.now() + .seconds(20)
    while engine.report(stuckAfter: .milliseconds(300)).stuck.count < expected,
      Deadline.now() < deadline
    {}
    submit(free.operations(16), of: free, to: engine, others)

    #expect(others.ended.wait(timeout: .now() + .seconds(20)) == .success, "others go on")
    #expect(others.failures == 0)
    #expect(stuck.endedCount <= 70, "only what needs no journal ended")
    // The last writes wait for a place, and end at once when they are cancelled.
    let last = kept[276...277]
    let before = stuck.endedCount
    for request in last { engine.cancel(request) }
    #expect(stuck.reached(before + 2))
    try runSuccessfully(["fsfreeze", "-u", frozen.image.path])
    #expect(stuck.ended.wait(timeout: .now() + .seconds(20)) == .success)
    #expect(stuck.failures == 2)
    #expect(engine.becomesIdle())
  }

  /// The ring's thread waits for several writes at once, and none of them ends.
  @Test("A sleep for several completions delays no other device (S123)")
  func aSleepForSeveralEndsKeepsNoOther() throws {
    try Need.ring.orSkip()
    let engine = Engine(setting: "uring", routing: .ring)
    let (frozen, free) = (try Device(files: 12), try Device(files: 1))
    let (stuck, others) = (Tally(), Tally())
    let writes = frozen.files.map { (Request.Operation.write(DataBuffer([1])), $0) }
    try runSuccessfully(["fsfreeze", "-f", frozen.image.path])
    defer { _ = try? run(["fsfreeze", "-u", frozen.image.path]) }
    let kept = submit(writes, of: frozen, to: engine, stuck)
    let buffer = try #require(BufferPool.shared.makeBuffer(atLeast: 1))
    // Each by itself, so that each finds the thread asleep, which would else last a second. Every
    // other one comes right behind a write that does not wake it.
    let deadline = Deadline.now() + .seconds(20)
    for count in 1...100 where Deadline.now() < deadline {
      if count % 2 == 0 { submit([writes[count % 12]], of: frozen, to: engine, stuck) }
      submit([(.read(buffer, 0..<1), free.files[0])], of: free, to: engine, others)
      #expect(others.reached(count))
    }
    #expect(others.endedCount == 100 && others.failures == 0)
    #expect(stuck.endedCount == 0)
    engine.cancel(kept[11])
    try runSuccessfully(["fsfreeze", "-u", frozen.image.path])
    #expect(stuck.ended.wait(timeout: .now() + .seconds(20)) == .success)
    #expect(engine.becomesIdle())
  }

  @discardableResult
  private func submit(
    _ operations: [(Request.Operation, BorrowedDescriptor)],
    of device: Device,
    to engine: Engine,
    _ owner: Tally
  ) -> [Request] {
    for _ in operations { owner.ended.enter() }
    return operations.enumerated().map { number, entry in
      let request = Request(
        entry.0,
        descriptor: entry.1,
        traits: device.traits,
        offset: 0,
        tag: number,
        owner: owner
      )
      engine.submit(request)
      return request
    }
  }
}

/// Counts the ends of requests, and closes what they open.
private final class Tally: RequestOwner {
  private struct Counts {
    var ended = 0
    var failures = 0
  }

  private let counts = BargingLock(Counts())
  private let signal = CountingSemaphore(value: 0)
  /// Is left by each request.
  let ended = WorkGroup()

  var endedCount: Int { counts.withLock { $0.ended } }
  var failures: Int { counts.withLock { $0.failures } }

  /// Waits until so many have ended.
  func reached(_ count: Int) -> Bool {
    let deadline = Deadline.now() + .seconds(20)
    while endedCount < count {
      if signal.wait(timeout: deadline) == .timedOut { return false }
    }
    return true
  }

  func requestEnded(_ request: Request, with result: TransferResult) {
    counts.withLock { counts in
      counts.ended += 1
      if case .failure = result { counts.failures += 1 }
    }
    if request.kind == .open, case .success(let number) = result {
      _ = OwnedDescriptor(owning: Int32(number))
    }
    signal.signal()
    ended.leave()
  }
}
