import DataRegions
import QueueRuntime
import IOChannelsEngine
import Synchronization
import IOChannelsSystem

/// Keeps a number of requests in flight until all of a round have ended.
///
/// Each that ends is followed by another one from the thread that tells of the end. The two share
/// their memory, or take it in turn from a share of their own where there is more of it; no
/// others have it, as a file system that checks what it reads would notice.
final class Driver: RequestOwner {
  private let engine: Engine
  private let work: Work
  private let file: BorrowedDescriptor
  private let traits: DescriptorTraits
  private let transfers: [Request.Operation]
  private let next = Atomic<Int>(0)
  private let ended = Atomic<Int>(0)
  private let moved = Atomic<Int>(0)
  private let error = Atomic<Int32>(0)
  private let resident = Atomic<Int>(0)
  private let done = CountingSemaphore(value: 0)

  init(
    _ work: Work,
    engine: Engine,
    file: borrowing BenchFile,
    transfers: [Request.Operation]
  ) {
    self.engine = engine
    self.work = work
    self.transfers = transfers
    self.file = file.borrowed
    traits = file.traits
  }

  /// Resident bytes when half of the requests had ended.
  var residentHalfway: Int { resident.load(ordering: .acquiring) }

  /// Carries all requests out.
  func run() throws {
    next.store(work.depth, ordering: .relaxed)
    for index in 0..<work.depth { submit(index, memory: index % transfers.count) }
    done.wait()
    let number = error.load(ordering: .acquiring)
    if number != 0 { throw SystemError(rawValue: number) }
    let bytes = moved.load(ordering: .acquiring)
    let expected = work.count * work.size
    if bytes != expected { throw BenchFailure("\(bytes) bytes instead of \(expected)") }
  }

  func requestEnded(_ request: Request, with result: TransferResult) {
    switch result {
    case .success(let count): moved.add(count, ordering: .relaxed)
    case .failure(let failure): error.store(failure.rawValue, ordering: .relaxed)
    }
    let index = next.add(1, ordering: .relaxed).oldValue
    if index < work.count { submit(index, memory: following(request.tag)) }
    let count = ended.add(1, ordering: .acquiringAndReleasing).newValue
    if work.measuresMemory, count == work.count / 2 {
      resident.store(Usage.residentBytes, ordering: .releasing)
    }
    if count == work.count { done.signal() }
  }

  /// The next of the memories that only those take that follow each other.
  private func following(_ memory: Int) -> Int {
    let next = memory + work.depth
    return next < transfers.count ? next : memory % work.depth
  }

  private func submit(_ index: Int, memory: Int) {
    engine.submit(
      Request(
        transfers[memory],
        descriptor: file,
        traits: traits,
        offset: work.offset(of: index),
        isAlone: work.depth == 1,
        tag: memory,
        owner: self
      )
    )
  }
}

/// The memory of a round: a transfer for each request in flight, or more of them.
enum Transfers {
  static func make(for work: Work) throws -> [Request.Operation] {
    switch work.operation {
    case .read:
      if work.size > largestBuffer {
        throw BenchFailure("no read is larger than the largest buffer, \(largestBuffer) bytes")
      }
      return try (0..<max(work.depth, work.buffers)).map { _ in
        .read(try buffer(work.size), 0..<work.size)
      }
    case .overwrite, .new:
      let data = try bytes(work.size)
      return Array(repeating: .write(data), count: work.depth)
    }
  }

  private static let largestBuffer = BufferPool.classes.last ?? 0

  /// Bytes at page boundaries, as direct writes want them, in as many regions as it takes.
  private static func bytes(_ count: Int) throws -> DataBuffer {
    var data = DataBuffer()
    while data.count < count {
      let part = min(count - data.count, largestBuffer)
      data.append(try buffer(part).filled(0..<part))
    }
    return data
  }

  private static func buffer(_ count: Int) throws -> PooledBuffer {
    guard let buffer = BufferPool.shared.makeBuffer(atLeast: count) else {
      throw SystemError.noMemory
    }
    return buffer
  }
}
