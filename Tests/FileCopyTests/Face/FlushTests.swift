import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@testable import FileCopy

/// The flush of the file systems of a destination.
@Suite("Flushed file systems", .ends(withinMinutes: 10))
struct FlushTests {
  @Test("A file system is opened once, by the first of its directories (T54)")
  func once() throws {
    let place = try CopyPlace()
    try place.shell("mkdir a b; echo 1 >b/f")
    let systems = FlushedFileSystems()
    for name in ["a", "b"] {
      let directory = try BorrowedDescriptor.workingDirectory.open(place.path(name), .path)
      let device = try directory.borrowed.status().identity.device
      systems.add(directory: directory.borrowed, on: device, BytePath(name))
      #expect(systems[device]?.path == "a")
    }
    var failures = 0
    systems.flush { _, _ in failures += 1 }
    #expect(failures == 0)
  }

  @Test("A directory that cannot be opened is an error of the flush (T54)")
  func unopened() throws {
    let place = try CopyPlace()
    try place.shell("echo 1 >f")
    let systems = FlushedFileSystems()
    // A file is no directory, so that the opening fails for every user.
    let file = try BorrowedDescriptor.workingDirectory.open(place.path("f"), .readOnly)
    systems.add(directory: file.borrowed, on: 1, "f")
    var failures: [SystemError] = []
    systems.flush { path, error in
      #expect(path == "f")
      failures.append(error)
    }
    #expect(failures == [.notDirectory])
  }

  @Test("A copy that is flushed is complete, and one that is stopped is not flushed (T54)")
  func copies() throws {
    let place = try CopyPlace()
    try place.shell("mkdir s; for i in {1..20}; do echo $i >s/$i; done")
    var options = CopyOptions.archive
    options.durability = .atEnd
    #expect(place.copy("s", to: "d", options).isComplete)
    #expect(try place.differences("s", "d") == [])
    let monitor = CopyMonitor()
    monitor.stop()
    let report = FileCopier(options).report(
      from: place.path("s"),
      to: place.path("e"),
      monitor: monitor
    )
    #expect(report.isStopped && report.failures.isEmpty)
  }

  @Test("The unwritten bytes are those of the kernel's counts, and at most those of the copy (T54)")
  func unwritten() {
    let text = """
      MemTotal:       16000000 kB
      Dirty:              1200 kB
      Writeback:            34 kB
      WritebackTmp:         56 kB
      HugePages_Total:       0

      """
    #expect(UnwrittenMemory.byteCount(in: text) == 1234 << 10)
    #expect(UnwrittenMemory.byteCount(in: "MemTotal: 1 kB\n") == nil)
    #expect(UnwrittenMemory.byteCount(in: "Dirty: 99999999999999999 kB\n") == 1 << 60)
    let progress = MonitoredProgress()
    progress.begin()
    progress.count(bytes: 5)
    #expect(progress.current?.unwrittenByteCount == nil)
    progress.setFlushing(true)
    #expect((0...5).contains(progress.current?.unwrittenByteCount ?? -1))
    progress.setFlushing(false)
    #expect(progress.current?.unwrittenByteCount == nil)
    progress.end()
  }
}
