import Foundation
import Synchronization
import IOChannelsSystem
import IOChannelsTestSupport
import Testing

/// They run with the flag of Linux 6.18, and as on kernels before it.
@Suite("Writes that raise no SIGPIPE (S165)")
struct QuietWriteTests {
  /// The error of a write, nil for none.
  private static func error(
    writing count: Int,
    to descriptor: borrowing OwnedDescriptor,
    usesFlag: Bool
  ) -> SystemError? {
    let bytes = [UInt8](repeating: 7, count: count)
    do throws(SystemError) {
      _ = try descriptor.borrowed.writeQuietly(bytes, usesFlag: usesFlag)
      return nil
    } catch {
      return error
    }
  }

  @Test("A write to a lost reader ends no process whose SIGPIPE has its default action (S165)")
  func aLostReaderRaisesNoSignal() async {
    await #expect(processExitsWith: .success) {
      signal(SIGPIPE, SIG_DFL)
      for usesFlag in [true, false] {
        let pipe = try PipeEnds().loseReader()
        #expect(QuietWriteTests.error(writing: 9, to: pipe, usesFlag: usesFlag) == .brokenPipe)
        let socket = try PipeEnds(socketsWithMessages: false).loseReader()
        #expect(QuietWriteTests.error(writing: 9, to: socket, usesFlag: usesFlag) == .brokenPipe)
        #expect(!PipeEnds.signalWaits)
      }
    }
  }

  @Test("A reader that is lost in the middle of a write raises no signal either (S165)")
  func aReaderLostInTheMiddleRaisesNoSignal() async {
    await #expect(processExitsWith: .success) {
      signal(SIGPIPE, SIG_DFL)
      for usesFlag in [true, false] {
        let ends = try PipeEnds()
        let reading = BorrowedDescriptor(rawValue: dup(ends.reading.rawValue))
        let writing = ends.closeReading()
        try PlatformThread.start(name: "reads") {
          // The writer has filled the pipe by the time that its first page is read.
          while !reading.isReadable {}
          var bytes = [UInt8](repeating: 0, count: 4096)
          _ = try? reading.read(into: &bytes)
          close(reading.rawValue)
        }
        let bytes = [UInt8](repeating: 7, count: 1 << 20)
        let count = try writing.borrowed.writeQuietly(bytes, usesFlag: usesFlag)
        #expect(count > 0 && count < 1 << 20)
        #expect(!PipeEnds.signalWaits)
        #expect(QuietWriteTests.error(writing: 1, to: writing, usesFlag: usesFlag) == .brokenPipe)
      }
    }
  }

  @Test("A signal that was pending stays pending", arguments: [true, false])
  func aSignalThatWasPendingStaysPending(usesFlag: Bool) throws {
    let found = Mutex<(waits: Bool, error: SystemError?)?>(nil)
    let done = DispatchSemaphore(value: 0)
    // The thread has all signals blocked.
    try PlatformThread.start(name: "pending") {
      defer { done.signal() }
      pthread_kill(pthread_self(), SIGPIPE)
      guard let writing = try? PipeEnds().loseReader() else { return }
      let error = QuietWriteTests.error(writing: 1, to: writing, usesFlag: usesFlag)
      found.withLock { $0 = (PipeEnds.signalWaits, error) }
    }
    done.wait()
    let result = try #require(found.withLock { $0 })
    #expect(result.waits && result.error == .brokenPipe)
  }

  @Test("A write to a pipe with a reader succeeds", arguments: [true, false])
  func whatHasAReaderIsWritten(usesFlag: Bool) throws {
    for isSocket in [false, true] {
      let ends = isSocket ? try PipeEnds(socketsWithMessages: false) : try PipeEnds()
      let bytes = pattern(1_000)
      let count = try ends.writing.borrowed.writeQuietly(bytes, usesFlag: usesFlag)
      var received = [UInt8](repeating: 0, count: 1_000)
      #expect(try ends.reading.borrowed.read(into: &received) == count)
      #expect(received == bytes)
    }
  }
}
