import Foundation
import IOChannels
import Measure

/// B23: small files that are opened, read and closed, many at a time.
enum SmallFiles {
  static let rows = [
    row("B23.threads", rival: "open, pread and close on two threads", goal: 0.4) { files in
      files.onThreads()
    },
    row("B23.hops", rival: "four hops to a thread pool for each file, as NIO does", goal: 1) {
      try $0.byHops()
    },
  ]

  private static func row(
    _ id: String,
    rival: String,
    goal: Double,
    _ theirs: @escaping @Sendable (Files) throws -> Int
  ) -> Row {
    Row(
      id: id,
      work: "10,000 files of 4 KiB (quick: 2,000), cached on ext4, opened, read and closed by "
        + "tasks, 64 in flight",
      rival: rival,
      goal: goal
    ) { size in
      let files = try Files(count: size.count(quick: 2_000, full: 10_000))
      return Sides(
        ours: { try files.timed { try $0.throughChannels() } },
        theirs: { try files.timed(theirs) }
      )
    }
  }

  /// The files, and the ways to read them.
  final class Files: Sendable {
    private static let length = 4096
    private static let inFlight = 64

    private let count: Int
    private let paths: [String]
    /// The file system, which exists as long as this value.
    private nonisolated(unsafe) let system: FreshFileSystem

    init(count: Int) throws {
      self.count = count
      let system = try FreshFileSystem(gigabytes: 1)
      paths = (0..<count).map { "\(system.path)/\($0)" }
      self.system = system
      let bytes = Data(repeating: 7, count: Self.length)
      for path in paths { try bytes.write(to: URL(filePath: path)) }
    }

    /// Times a way, which returns the number of bytes.
    func timed(_ way: (Files) throws -> Int) throws -> Timing {
      let (seen, timing) = try Timing.of { try way(self) }
      guard seen == count * Self.length else {
        throw CommandFailure(description: "\(seen) bytes of \(count) files were read")
      }
      return timing
    }

    func throughChannels() throws -> Int {
      try throughTasks { path in
        try await IOChannel.withOpen(path) { file in try await file.readAll().count }
      }
    }

    /// Carries out each call for a file on a thread of a pool, and resumes the task in between.
    func byHops() throws -> Int {
      let pool = HopPool(threads: 4)
      defer { pool.end() }
      return try throughTasks { path in
        let descriptor = await pool.hop { open(path, O_RDONLY | O_CLOEXEC) }
        let size = await pool.hop {
          var status = stat()
          return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
        }
        let read = await pool.hop {
          var bytes = [UInt8](repeating: 0, count: size)
          return pread(descriptor, &bytes, bytes.count, 0)
        }
        _ = await pool.hop { close(descriptor) }
        return read
      }
    }

    /// Reads all files by tasks.
    private func throughTasks(
      _ read: @escaping @Sendable (_ path: String) async throws -> Int
    ) throws -> Int {
      let paths = paths
      return try waitForTask {
        try await withThrowingTaskGroup(of: Int.self) { tasks in
          for path in paths.prefix(Self.inFlight) { tasks.addTask { try await read(path) } }
          var rest = paths.dropFirst(Self.inFlight)
          var seen = 0
          while let count = try await tasks.next() {
            seen += count
            if let path = rest.popFirst() { tasks.addTask { try await read(path) } }
          }
          return seen
        }
      }
    }

    /// Reads all files on two threads, each of which has its own half.
    func onThreads() -> Int {
      let counters = (Counter(), Counter())
      let ended = DispatchSemaphore(value: 0)
      for (half, counter) in [counters.0, counters.1].enumerated() {
        let paths = half == 0 ? paths[..<(count / 2)] : paths[(count / 2)...]
        Thread.detachNewThread {
          var bytes = [UInt8](repeating: 0, count: 2 * Self.length)
          for path in paths {
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            counter.value += max(pread(descriptor, &bytes, bytes.count, 0), 0)
            close(descriptor)
          }
          ended.signal()
        }
      }
      for _ in 0..<2 { ended.wait() }
      return counters.0.value + counters.1.value
    }
  }
}

/// A pool of a few threads with one list of work, to which tasks hop.
private final class HopPool: @unchecked Sendable {
  private let condition = NSCondition()
  private var work: [@Sendable () -> Void] = []
  private var first = 0
  private var isOver = false

  init(threads: Int) {
    for _ in 0..<threads { Thread.detachNewThread { self.run() } }
  }

  /// Ends the threads.
  func end() {
    condition.lock()
    isOver = true
    condition.broadcast()
    condition.unlock()
  }

  /// Runs a call on a thread of the pool.
  func hop<Result: Sendable>(_ call: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      submit { continuation.resume(returning: call()) }
    }
  }

  private func submit(_ call: @escaping @Sendable () -> Void) {
    condition.lock()
    work.append(call)
    condition.signal()
    condition.unlock()
  }

  private func run() {
    while let call = next() { call() }
  }

  private func next() -> (@Sendable () -> Void)? {
    condition.lock()
    defer { condition.unlock() }
    while first == work.count, !isOver { condition.wait() }
    if first == work.count { return nil }
    defer {
      first += 1
      if first == work.count { (first, work) = (0, []) }
    }
    return work[first]
  }
}
