import FileCopy
import Foundation
import IOChannels
import IOChannelsTestSupport
import Testing

@Suite("Copies beside a full pool of workers (S38)")
struct FullPoolCopyTests {
  @Test("With every worker blocked an awaited copy to another file system ends (S38)")
  func anAwaitedCopyEnds() async {
    await #expect(processExitsWith: .success) {
      alarm(60)
      let source = try TemporaryDirectory()
      let destination = try TemporaryDirectory(in: "/dev/shm")
      // Long enough for channels.
      let bytes = pattern(20_000_000)
      let path = try source.write(bytes, to: "file")
      let never = CountingSemaphore(value: 0)
      for _ in 0..<300 { WorkQueue.global().async { never.wait() } }
      while WorkerPool.shared.statistics().threadCount < 255 { await Task.yield() }
      let copy = destination("copy")
      let monitor = CopyMonitor()
      async let updates = monitor.updates(every: .milliseconds(1)).reduce(0) { count, _ in
        count + 1
      }
      try await FileCopier().copy(from: BytePath(path), to: BytePath(copy), monitor: monitor)
      #expect(await updates > 0)
      #expect(try runSuccessfully(["cmp", path, copy]).isEmpty)
    }
  }
}
