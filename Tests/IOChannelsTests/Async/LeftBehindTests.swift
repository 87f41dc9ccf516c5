import Glibc
import IOChannels
import IOChannelsEngine
import IOChannelsTestSupport
import Testing

@Suite("Operations that a failed or cancelled function leaves behind (S155)")
struct LeftBehindTests {
  private func openNames() throws -> String {
    try run(["ls", "-l", "/proc/\(getpid())/fd"]).outputText
  }

  @Test(
    "A read that never ends does not hold a cancelled task",
    .timeLimit(.minutes(10)),
    arguments: TestBackend.allCases
  )
  func aReadThatNeverEndsDoesNotHoldACancelledTask(backend: TestBackend) async throws {
    let directory = try TemporaryDirectory()
    let fifo = directory("fifo")
    try runSuccessfully(["mkfifo", fifo])
    let engine = try backend.engine()
    let trace = Trace()
    let left = Trace()
    let task = Task {
      try await IOChannel.withOpen(BytePath(fifo), .readWrite, type: .stream, engine: engine) {
        $0.read(offset: 0, length: 1, queue: trace.queue, ioHandler: trace.handler())
        left.add(.mark("left"))
      }
    }
    await left.reach(1)
    #expect(trace.entries == [])
    task.cancel()
    try await task.value
    #expect(trace.entries == [.delivery(done: true, bytes: nil, error: .canceled)])
    #expect(try !openNames().contains(fifo))
  }

  @Test(
    "A task that was cancelled long before leaves no file open",
    arguments: TestBackend.allCases
  )
  func aTaskThatIsCancelledLongBeforeOpensNothingThatStays(backend: TestBackend) async throws {
    let file = try FileOfBytes(pattern(10))
    let engine = try backend.engine()
    for _ in 0..<20 {
      let task = Task {
        while !Task.isCancelled { await Task.yield() }
        return try await IOChannel.withOpen(
          BytePath(file.path),
          .readOnly,
          type: .random,
          engine: engine
        ) { try await $0.read(length: 10) }
      }
      task.cancel()
      do {
        #expect([UInt8](try await task.value) == pattern(10))
      } catch {
        let error = try #require(error as? IOChannelError)
        #expect(error.reason == .canceled)
        #expect(error.file == .path(BytePath(file.path)))
      }
    }
    #expect(try !openNames().contains(file.path))
  }

  @Test("A loop of cached reads ends with its task", arguments: TestBackend.allCases)
  func aLoopOfCachedReadsEndsWithItsTask(backend: TestBackend) async throws {
    let file = try FileOfBytes(pattern(10))
    let place = try AsyncPlace(backend, .random, file.opened())
    #expect(try await place.channel.read(length: 10).count == 10)
    let channel = place.channel
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      do throws(IOChannelError) {
        for _ in 0..<10_000 { _ = try await channel.read(length: 10, at: 0) }
        return nil as SystemError?
      } catch {
        return error.reason
      }
    }
    task.cancel()
    #expect(await task.value == .canceled)
    await place.close()
  }
}
