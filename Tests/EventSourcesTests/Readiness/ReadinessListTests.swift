import Synchronization
import IOChannelsLocks
import IOChannelsTestSupport
import Testing

@testable import EventSources

@Suite("Readiness list")
struct ReadinessListTests {
  /// A list whose thread the test plays.
  private func list(_ poll: ManualPoll, _ starts: StartCounter = StartCounter()) -> ReadinessList {
    // The counter keeps the thread's body, which keeps the list.
    ReadinessList(poll: poll) { [weak starts] (name, body) throws(SystemError) in
      try starts?.start(name, body)
    }
  }

  final class StartCounter: Sendable {
    let bodies = BargingLock<[@Sendable () -> Void]>([])
    let error = BargingLock<SystemError?>(nil)

    func start(_ name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
      if let error = error.withLock({ $0 }) { throw error }
      bodies.withLock { $0.append(body) }
    }

    /// Runs the thread until the list lets it end.
    func run() {
      bodies.withLock { $0.isEmpty ? nil : $0.removeFirst() }?()
    }
  }

  @Test("An event reaches its registration, and a stale one reaches none")
  func generations() throws {
    let poll = ManualPoll()
    let starts = StartCounter()
    let list = list(poll, starts)
    let (first, second) = (CountingReceiver(), CountingReceiver())
    let token = try list.register(5, for: .readable, first)
    let stale = poll.token(of: 5) ?? 0
    poll.post(.ready(token: stale, states: .readable))
    poll.post(.idle)
    list.remove(token)
    // The slot is used again, under another generation.
    let next = try list.register(6, for: .readable, second)
    poll.post(.ready(token: stale, states: .readable))
    list.remove(next)
    poll.post(.idle)
    starts.run()
    #expect(first.count.load(ordering: .relaxed) == 0)
    #expect(second.count.load(ordering: .relaxed) == 0)
    #expect(list.count == 0)
  }

  @Test("A descriptor that is registered twice is duplicated, and the duplicate is closed")
  func duplicates() throws {
    let poll = ManualPoll()
    let list = list(poll)
    let receiver = CountingReceiver()
    let first = try list.register(5, for: .readable, receiver)
    poll.refuse(.add(5), with: .fileExists)
    let second = try list.register(5, for: .writable, receiver)
    list.rearm(second, for: .writable)
    list.remove(second)
    list.remove(first)
    #expect(
      poll.calls == [
        .add(5), .add(5), .duplicate(5), .add(100), .rearm(100), .remove(100), .close(100),
        .remove(5), .scheduleIdleCheck,
      ]
    )
  }

  @Test("Where the duplicate is refused it is closed, and the error reported")
  func refusedDuplicate() {
    let poll = ManualPoll()
    let list = list(poll)
    poll.refuse(.add(5), with: .fileExists)
    poll.refuse(.add(100), with: .noSpace)
    #expect(throws: SystemError.noSpace) {
      try list.register(5, for: .readable, CountingReceiver())
    }
    #expect(poll.calls.last == .close(100))
    #expect(list.count == 0)
  }

  @Test(
    "Errors of the kernel's list are reported",
    arguments: [SystemError.notPermitted, .noSpace]
  )
  func errors(_ error: SystemError) {
    let poll = ManualPoll()
    let list = list(poll)
    poll.refuse(.add(5), with: error)
    #expect(throws: error) { try list.register(5, for: .readable, CountingReceiver()) }
    #expect(list.count == 0)
  }

  @Test("A descriptor that was closed under its registration is not touched again")
  func closedUnder() throws {
    let poll = ManualPoll()
    let list = list(poll)
    let receiver = CountingReceiver()
    let first = try list.register(5, for: .readable, receiver)
    // The number belongs to another file now, which is registered itself.
    let second = try list.register(5, for: .readable, receiver)
    #expect(!list.rearm(first, for: .readable))
    list.remove(first)
    #expect(poll.calls == [.add(5), .add(5)])
    #expect(list.rearm(second, for: .readable))
    list.remove(second)
    #expect(poll.calls.suffix(3) == [.rearm(5), .remove(5), .scheduleIdleCheck])
  }

  @Test(
    "A registration whose descriptor cannot be rearmed is lost",
    arguments: [SystemError(rawValue: 2)]
  )
  func lost(_ error: SystemError) throws {
    let poll = ManualPoll()
    let list = list(poll)
    let token = try list.register(5, for: .readable, CountingReceiver())
    poll.refuse(.rearm(5), with: error)
    #expect(!list.rearm(token, for: .readable))
    #expect(!list.rearm(token, for: .readable))
    list.remove(token)
    #expect(poll.calls == [.add(5), .rearm(5), .scheduleIdleCheck])
  }

  @Test(
    "A thread that cannot be started fails the registration, and the next one tries again (S188)",
    arguments: [SystemError.resourceTemporarilyUnavailable, .notPermitted]
  )
  func noThread(_ error: SystemError) throws {
    let poll = ManualPoll()
    let starts = StartCounter()
    let list = list(poll, starts)
    starts.error.withLock { $0 = error }
    // `EPERM` would mean a file that is always ready.
    #expect(throws: SystemError.resourceTemporarilyUnavailable) {
      try list.register(5, for: .readable, CountingReceiver())
    }
    #expect(list.count == 0)
    starts.error.withLock { $0 = nil }
    let token = try list.register(5, for: .readable, CountingReceiver())
    #expect(starts.bodies.withLock { $0.count } == 1)
    list.remove(token)
  }

  @Test("The thread ends when it is idle without registrations, and the next one starts another")
  func threadEnds() throws {
    let poll = ManualPoll()
    let starts = StartCounter()
    let list = list(poll, starts)
    let token = try list.register(5, for: .readable, CountingReceiver())
    list.remove(token)
    poll.post(.idle)
    starts.run()
    let next = try list.register(5, for: .readable, CountingReceiver())
    #expect(starts.bodies.withLock { $0.count } == 1)
    list.remove(next)
  }
}
