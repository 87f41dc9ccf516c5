import FileCopy
import IOChannelsSystem
import IOChannelsTestSupport
import Testing

/// Tasks await copies, watch them and cancel them.
@Suite("Copies that tasks await", .ends(withinMinutes: 10))
struct AwaitedCopyTests {
  /// Opens both ends of a FIFO, which waits for nobody and keeps its reader waiting for more.
  private func openedFIFO(_ place: CopyPlace) throws -> OwnedDescriptor {
    try BorrowedDescriptor.workingDirectory.open(place.path("p"), .readWrite)
  }

  @Test("A task gets the report of a complete copy")
  func report() async throws {
    let place = try CopyPlace()
    try place.shell("mkdir d; echo x > d/f; ln -s f d/l; truncate -s 1M d/holes")
    let report = try await FileCopier(.archive).copy(from: place.path("d"), to: place.path("e"))
    #expect(report.fileCount == 2)
    #expect(report.byteCount == 2 + 1 << 20)
    #expect(report.holeByteCount == 1 << 20)
    #expect(report.symbolicLinkCount == 1)
    #expect(report.elapsed > .zero)
    #expect(try place.differences("d", "e") == [])
  }

  @Test("Failures are thrown together with the report of copied files")
  func failure() async throws {
    let place = try CopyPlace()
    try place.shell("mkdir -p d e/d/g; echo x > d/f; echo y > d/g")
    let error = await #expect(throws: CopyFailure.self) {
      try await FileCopier(.recursive).copy(from: place.path("d"), to: place.path("e"))
    }
    #expect(error?.report.fileCount == 1)
    #expect(error?.report.failures.map(\.problem) == [.existingDirectory])
    #expect(error?.report.isStopped == false)
    #expect(error?.isCancellation == false)
  }

  @Test("A copy that blocks its thread throws the failure with the report too (S170)")
  func blockingFailure() throws {
    let place = try CopyPlace()
    try place.shell("mkdir -p d e/d/g; echo x > d/f; echo y > d/g; echo z > h")
    let (source, destination) = (place.path("d"), place.path("e"))
    let copier = FileCopier(.recursive)
    let one = #expect(throws: CopyFailure.self) {
      try copier.copyAndWait(from: source, to: destination)
    }
    #expect(one?.report.fileCount == 1)
    #expect(one?.report.failures.map(\.problem) == [.existingDirectory])
    #expect(one?.report.isStopped == false)
    let several = #expect(throws: CopyFailure.self) {
      try copier.copyAndWait(from: [source, place.path("h")], to: destination)
    }
    #expect(several?.report.fileCount == 2)
    #expect(several?.report.failureCount == 1)
    let report = try copier.copyAndWait(from: place.path("h"), to: destination)
    #expect(report.isComplete && report.fileCount == 1)
  }

  @Test("A cancelled copy removes the file in flight, begins nothing, and has ended (F14)")
  func cancellation() async throws {
    let place = try CopyPlace()
    try place.shell("mkfifo p; echo x > f; mkdir to")
    let pipe = try openedFIFO(place)
    let monitor = CopyMonitor()
    let sources = [place.path("p"), place.path("f")]
    let (destination, options) = (place.path("to"), CopyOptions.oneAtATime)
    let task = Task { () async -> Result<CopyReport, CopyFailure> in
      do throws(CopyFailure) {
        return .success(
          try await FileCopier(options).copy(from: sources, to: destination, monitor: monitor)
        )
      } catch {
        return .failure(error)
      }
    }
    _ = try pipe.borrowed.write([UInt8](repeating: 7, count: 100), 0..<100)
    for await progress in monitor.updates(every: .milliseconds(1)) where progress.byteCount == 100 {
      break
    }
    #expect(try place.shell("ls -A to") == "p\n")
    task.cancel()
    guard case .failure(let error) = await task.value else {
      Issue.record("The copy was not cancelled.")
      return
    }
    #expect(error.report.isStopped)
    #expect(error.isCancellation)
    #expect(error.report.failureCount == 0)
    #expect(try place.shell("ls -A to") == "")
    #expect(monitor.progress.isFinished)
  }

  @Test("A cancelled task copies nothing and sees no progress (S158)")
  func cancelledBefore() async throws {
    let place = try CopyPlace()
    try place.shell("echo x > f; mkdir d to; echo y > d/g")
    let sources = [place.path("f"), place.path("d")]
    let destination = place.path("to")
    let (error, progress) = try await inTask { cancel in
      await cancel()
      let monitor = CopyMonitor()
      let error = await #expect(throws: CopyFailure.self) {
        try await FileCopier(.archive).copy(from: sources, to: destination, monitor: monitor)
      }
      var updates = monitor.updates().makeAsyncIterator()
      return (error, await updates.next())
    }
    #expect(error?.isCancellation == true && error?.report.fileCount == 0)
    #expect(progress == nil)
    #expect(try place.shell("ls -A to") == "")
  }

  @Test("A backup gets its name back when the copy is cancelled")
  func cancelledBackup() async throws {
    let place = try CopyPlace()
    try place.shell("mkfifo p; echo old > f")
    let pipe = try openedFIFO(place)
    let monitor = CopyMonitor()
    var options = CopyOptions.oneAtATime
    options.existing.backup = BackupNaming(.simple)
    let (source, destination) = (place.path("p"), place.path("f"))
    let task = Task { [options] in
      try? await FileCopier(options).copy(from: source, to: destination, monitor: monitor)
    }
    _ = try pipe.borrowed.write([1], 0..<1)
    for await progress in monitor.updates(every: .milliseconds(1)) where progress.byteCount == 1 {
      break
    }
    #expect(try place.shell("cat 'f~'") == "old\n")
    task.cancel()
    _ = await task.value
    #expect(try place.shell("cat f; ls -A") == "old\nf\np\n")
  }

  @Test("The actor that awaits a copy does other work meanwhile")
  func freeExecutor() async throws {
    actor Caller {
      func copy(_ source: BytePath, _ destination: BytePath, _ monitor: CopyMonitor) async -> Bool {
        let copier = FileCopier(.oneAtATime)
        return (try? await copier.copy(from: source, to: destination, monitor: monitor)) != nil
      }

      func answer() -> Int { 42 }
    }
    let place = try CopyPlace()
    try place.shell("mkfifo p")
    let pipe = try openedFIFO(place)
    let (caller, monitor) = (Caller(), CopyMonitor())
    let (source, destination) = (place.path("p"), place.path("f"))
    async let isCopied = caller.copy(source, destination, monitor)
    _ = try pipe.borrowed.write([1, 2], 0..<2)
    for await progress in monitor.updates(every: .milliseconds(1)) where progress.byteCount == 2 {
      break
    }
    #expect(await caller.answer() == 42)
    try pipe.close()
    #expect(await isCopied)
    #expect(try place.shell("wc -c < f") == "2\n")
  }

  @Test("Progress only grows, ends with the copy, and slow readers get the newest")
  func updates() async throws {
    let place = try CopyPlace()
    try place.shell("mkdir d; for i in {1..300}; do echo $i > d/$i; done; ln -s 1 d/l")
    var options = CopyOptions.archive
    options.countsAhead = true
    let monitor = CopyMonitor()
    let (source, destination) = (place.path("d"), place.path("e"))
    async let report = FileCopier(options).copy(from: source, to: destination, monitor: monitor)
    var seen: [CopyProgress] = []
    for await progress in monitor.updates(every: .milliseconds(1)) { seen.append(progress) }
    let files = try await report.fileCount
    #expect(files == 300)
    for (earlier, later) in zip(seen, seen.dropFirst()) {
      #expect(earlier.fileCount <= later.fileCount && earlier.byteCount <= later.byteCount)
      #expect(!earlier.isFinished)
    }
    for progress in seen {
      #expect((progress.fractionCompleted != nil) == progress.isCounted)
      #expect((0.0...1.0).contains(progress.fractionCompleted ?? 0))
    }
    let last = try #require(seen.last)
    #expect(last.isFinished)
    #expect(last.fileCount == 301)
    #expect(last.byteCount == last.expectedByteCount || !last.isCounted)
    // Whoever comes late gets the end alone.
    var late: [CopyProgress] = []
    for await progress in monitor.updates() { late.append(progress) }
    #expect(late == [last])
  }

  @Test("A reader that is cancelled stops waiting for a copy that never begins")
  func cancelledReader() async {
    let monitor = CopyMonitor()
    let reader = Task {
      var count = 0
      for await _ in monitor.updates(every: .seconds(3600)) { count += 1 }
      return count
    }
    reader.cancel()
    #expect(await reader.value <= 1)
  }

  @Test("Updates end when the monitor is released and no copy has begun", .timeLimit(.minutes(5)))
  func releasedMonitor() async {
    var monitor: CopyMonitor? = CopyMonitor()
    let updates = monitor?.updates(every: .seconds(3600))
    let (first, seen) = AsyncStream.makeStream(of: CopyProgress.self)
    let reader = Task {
      guard let updates else { return 0 }
      var count = 0
      for await progress in updates {
        count += 1
        seen.yield(progress)
      }
      return count
    }
    // The reader waits for an hour then, or is about to.
    for await progress in first {
      #expect(!progress.isFinished)
      break
    }
    #expect(monitor?.isStopping == false)
    monitor = nil
    #expect(await reader.value == 1)
    var late = updates?.makeAsyncIterator()
    #expect(await late?.next() == nil)
  }

  @Test("Updates of a copy that is not awaited end with it after the monitor is released")
  func releasedMonitorOfACopy() async throws {
    let place = try CopyPlace()
    try place.shell("echo 1 > f")
    var monitor: CopyMonitor? = CopyMonitor()
    let updates = try #require(monitor?.updates(every: .milliseconds(1)))
    try await FileCopier().copy(
      from: place.path("f"),
      to: place.path("g"),
      monitor: #require(monitor)
    )
    monitor = nil
    var last: CopyProgress?
    for await progress in updates { last = progress }
    #expect(last?.isFinished == true && last?.fileCount == 1)
  }
}

extension CopyOptions {
  /// Options that read whatever is named, one after the other.
  static var oneAtATime: CopyOptions {
    var options = CopyOptions()
    options.jobs = 1
    return options
  }
}
