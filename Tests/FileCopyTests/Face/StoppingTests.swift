import Synchronization
import IOChannelsTestSupport
import Testing

@testable import FileCopy

/// A copy that is told to stop, by its monitor or by its first failure.
@Suite("Stopped copies", .ends(withinMinutes: 10))
struct StoppingTests {
  @Test("A stopped copy begins nothing more", arguments: [1, 3])
  func stop(jobs: Int) throws {
    let place = try CopyPlace()
    try place.shell(
      "mkdir -p d/{1..20}; for d in d/*; do for f in {1..30}; do : > $d/$f; done; done"
    )
    let monitor = CopyMonitor()
    var options = CopyOptions.archive
    options.jobs = jobs
    options.observer = CopyObserver(observesResults: true) { event in
      if case .copied(let record) = event, case .file = record.kind { monitor.stop() }
    }
    let report = FileCopier(options).report(
      from: place.path("d"),
      to: place.path("e"),
      monitor: monitor
    )
    #expect(report.isStopped)
    #expect(!report.isComplete)
    #expect(report.failureCount == 0)
    // Each thread may have had one under way.
    #expect((1...2 * jobs).contains(report.fileCount))
    #expect(try place.shell("find e -type f | wc -l") == "\(report.fileCount)\n")
  }

  @Test("A file that was announced is not begun any more, and leaves nothing")
  func announced() throws {
    let place = try CopyPlace()
    try place.shell("head -c 1M /dev/zero > f; mkdir to")
    let monitor = CopyMonitor()
    var options = CopyOptions()
    options.observer = CopyObserver(observesOperations: true) { _ in monitor.stop() }
    let report = FileCopier(options).report(
      from: place.path("f"),
      to: place.path("to"),
      monitor: monitor
    )
    #expect(report.isStopped)
    #expect(report.fileCount == 0)
    #expect(try place.shell("ls -A to") == "")
  }

  @Test(
    "A stop at any event is in the report, or the copy is complete (F14)",
    arguments: [1, 3],
    [false, true]
  )
  func everyEvent(jobs: Int, isAtomic: Bool) throws {
    let place = try CopyPlace()
    try place.shell(
      "mkdir -p d/e; for f in d/{1,2} d/e/{3,4}; do head -c 100000 /dev/urandom > $f; ln $f $f-b; "
        + "done; ln -s 1 d/l"
    )
    var stops = 0
    for number in 1... {
      let monitor = CopyMonitor()
      let seen = Atomic<Int>(0)
      var options = CopyOptions.archive
      options.jobs = jobs
      options.contents.verifies = true
      options.isAtomic = isAtomic
      options.observer = CopyObserver(observesOperations: true, observesResults: true) { _ in
        if seen.add(1, ordering: .relaxed).newValue == number { monitor.stop() }
      }
      let report = FileCopier(options).report(
        from: place.path("d"),
        to: place.path("to"),
        monitor: monitor
      )
      #expect(report.failureCount == 0, "\(report.failures)")
      #expect(try place.shell("find to -name '.fastcp-*'") == "")
      let differences = try place.differences("d", "to", ignoring: [.allocated])
      #expect(report.isStopped || differences == [], "\(number)")
      if report.isStopped { stops += 1 }
      try place.shell("rm -r to")
      if seen.load(ordering: .relaxed) < number { break }
    }
    #expect(stops > 0)
  }

  @Test("A task that is cancelled while it verifies ends with a failure", arguments: [1, 2])
  func verification(files: Int) async throws {
    let place = try CopyPlace()
    try place.shell("mkdir to; for i in {1..\(files)}; do head -c 200000 /dev/urandom > $i; done")
    let monitor = CopyMonitor()
    var options = CopyOptions()
    options.contents.verifies = true
    options.observer = CopyObserver(observesResults: true) { event in
      if case .verifying = event { monitor.stop() }
    }
    let sources = (1...files).map { place.path("\($0)") }
    await #expect(throws: CopyFailure.self) {
      try await FileCopier(options).copy(from: sources, to: place.path("to"), monitor: monitor)
    }
    #expect(try place.shell("ls -A to") == "")
  }

  @Test("A no to a question is no success, and is counted (T8)")
  func declined() throws {
    let place = try CopyPlace()
    try place.shell("echo 1 > f; echo 2 > g")
    var options = CopyOptions()
    options.existing.rule = .ask
    let report = place.copy("f", to: "g", options)
    #expect(report.declinedCount == 1 && report.failureCount == 0 && !report.isComplete)
    #expect(try place.shell("cat g") == "2\n")
  }

  @Test("Pieces between channels that are under way end, and no further one begins")
  func pieces() {
    var window = PieceWindow(0..<Int64.max, guess: 100 << 20)
    let first = window.begin()
    #expect(first?.lowerBound == 0)
    window.stop()
    let next = window.begin()
    let isEarly = window.finish()
    #expect(next == nil && !isEarly)
    _ = window.received(1 << 20, of: 0)
    window.readEnded(of: 0, nil)
    window.writeEnded(of: 0, nil)
    let isFinished = window.finish()
    #expect(isFinished)
    #expect(window.failure?.side == .stopping)
  }

  @Test("Pieces of a file that is complete are no longer stopped")
  func completePieces() {
    var window = PieceWindow(0..<10, guess: 10)
    _ = window.begin()
    _ = window.received(10, of: 0)
    window.readEnded(of: 0, nil)
    window.stop()
    window.writeEnded(of: 0, nil)
    let isFinished = window.finish()
    #expect(isFinished)
    #expect(window.failure == nil)
  }

  @Test("The first failure stops the copy if requested")
  func firstFailure() throws {
    let place = try CopyPlace()
    try place.shell("mkdir -p to/{1..9}; for i in {1..9}; do echo $i > $i; done")
    var options = CopyOptions.oneAtATime
    options.stopsAtFailure = true
    let sources = (1...9).map { place.path("\($0)") }
    let copier = FileCopier(options)
    let failure = #expect(throws: CopyFailure.self) {
      try copier.copyAndWait(from: sources, to: place.path("to"))
    }
    #expect(failure?.report.failureCount == 1)
    #expect(failure?.report.isStopped == true)
    #expect(failure?.isCancellation == false)
    options.stopsAtFailure = false
    let all = FileCopier(options).report(from: sources, to: place.path("to"))
    #expect(all.failureCount == 9)
    #expect(!all.isStopped)
  }

  @Test("Files that are skipped do not count in the total, whose rest is copied")
  func skipped() throws {
    let place = try CopyPlace()
    try place.shell("mkdir d e; echo 1234 >d/f; echo 12345678 >d/g; cp d/g e; touch -d @1 d/g")
    for isOperand in [false, true] {
      var options = CopyOptions.recursive
      options.countsAhead = true
      options.existing.updatesOnly = true
      let monitor = CopyMonitor()
      let sources = isOperand ? ["d/f", "d/g"] : ["d/."]
      let report = FileCopier(options).report(
        from: sources.map(place.path),
        to: place.path("e"),
        monitor: monitor
      )
      #expect(report.isComplete && report.byteCount == 5)
      let progress = monitor.progress
      #expect(progress.fileCount == 2 && progress.byteCount == 5)
      if progress.isCounted { #expect(progress.expectedByteCount == 5) }
      try place.shell("rm e/f")
    }
  }

  @Test("Sources are counted beside the copy: names of one file share its bytes")
  func counting() throws {
    let place = try CopyPlace()
    try place.shell(
      "mkdir -p d/a/b/c d/e; echo 12345 > d/a/b/c/f; ln d/a/b/c/f d/e/g; ln -s f d/l; "
        + "head -c 70000 /dev/zero > d/e/h; echo 1 > x"
    )
    var options = CopyOptions.archive
    options.countsAhead = true
    let monitor = CopyMonitor()
    try place.shell("mkdir to")
    let report = FileCopier(options).report(
      from: [place.path("d"), place.path("x")],
      to: place.path("to"),
      monitor: monitor
    )
    #expect(report.isComplete)
    let progress = monitor.progress
    #expect(progress.isFinished)
    // A copy that is faster than the count ends it.
    if progress.isCounted {
      #expect(progress.expectedFileCount == 5)
      #expect(progress.expectedByteCount == 70_008)
    }
  }
}
