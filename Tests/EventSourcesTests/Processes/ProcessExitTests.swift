import IOChannelsTestSupport
import Testing

@testable import EventSources

@Suite("Tasks that wait for the end of a process", .ends(withinMinutes: 2))
struct ProcessExitTests {
  @Test("A task gets the status of a child, which stays with waitpid")
  func child() async throws {
    let child = try Observed(["sh", "-c", "exit 7"])
    #expect(try await ProcessSource.waitForExit(of: child.identifier) == .exited(code: 7))
    #expect(try child.wait().status == 7)
  }

  @Test("A process that is gone ends the task at once, without a status")
  func gone() async throws {
    #expect(try await ProcessSource.waitForExit(of: .max) == nil)
  }

  @Test("A cancelled task throws ECANCELED while the process lives", arguments: [false, true])
  func cancellation(isLate: Bool) async throws {
    let child = try Observed()
    let task = Task { try await ProcessSource.waitForExit(of: child.identifier) }
    if isLate {
      // Another wait for the same process passes through all that the first has to do.
      let other = try EventSource.makeProcessSource(identifier: child.identifier, eventMask: .exit)
      await withCheckedContinuation { continuation in
        other.setRegistrationHandler { continuation.resume() }
        other.activate()
      }
      other.cancel()
    }
    task.cancel()
    await #expect(throws: SystemError.canceled) { try await task.value }
    // The child is not affected.
    child.kill()
    #expect(try await ProcessSource.waitForExit(of: child.identifier)?.waitStatus == 9)
  }

  @Test("Many tasks wait for one process")
  func many() async throws {
    let child = try Observed()
    try await withThrowingTaskGroup(of: ProcessStatus?.self) { group in
      for _ in 0..<20 {
        group.addTask { try await ProcessSource.waitForExit(of: child.identifier) }
      }
      child.kill()
      for try await status in group { #expect(status?.waitStatus == 9) }
    }
  }

  @Test("A status and the number of waitpid are converted without loss")
  func statuses() throws {
    #expect(ProcessStatus(waitStatus: 0x700) == .exited(code: 7))
    #expect(ProcessStatus(waitStatus: 0xff00) == .exited(code: 255))
    #expect(ProcessStatus(waitStatus: 9) == .signaled(number: 9, coreDumped: false))
    #expect(ProcessStatus(waitStatus: 0x8b) == .signaled(number: 11, coreDumped: true))
    // A stopped process, and one that continues.
    #expect(ProcessStatus(waitStatus: 0x137f) == nil)
    #expect(ProcessStatus(waitStatus: 0xffff) == nil)
    for number: Int32 in [0, 0x100, 0xff00, 1, 9, 0x86, 0xc0] {
      #expect(ProcessStatus(waitStatus: number)?.waitStatus == number)
    }
  }
}
