import CIOChannelsTestSupport
import EventSources
import Glibc
import QueueRuntime
import Synchronization
import IOChannelsSystem

/// Every signal is counted once, whichever thread blocks it.
let counting: [String: @Sendable () -> Void] = [
  "fiveAtOnce": {
    let recorded = Recorded(SIGUSR1)
    // It is told after the other one of each signal.
    let witness = Recorded(SIGUSR1)
    send(SIGUSR1, 5)
    recorded.expect(5)
    recorded.source.suspend()
    let calls = recorded.calls
    send(SIGUSR1, 5)
    witness.expect(10)
    check(recorded.calls == calls, "a suspended source was called")
    recorded.source.resume()
    recorded.expect(10)
    check(recorded.calls == calls + [5], "\(recorded.calls)")
  },
  "twoSources": {
    let first = Recorded(SIGUSR1)
    send(SIGUSR1, 2)
    first.expect(2)
    let second = Recorded(SIGUSR1)
    let other = Recorded(SIGUSR2)
    send(SIGUSR1, 3)
    first.expect(5)
    second.expect(3)
    first.cancel()
    send(SIGUSR1)
    second.expect(4)
    send(SIGUSR2)
    other.expect(1)
    first.expect(5)
    check(second.source.handle == UInt(SIGUSR1))
    // The handler may not have returned yet.
    check(reach { second.source.data == 0 })
  },
  "allThreadsBlock": {
    check(ct_block(queued, 1) == 0 && ct_block(SIGUSR1, 1) == 0)
    queue(queued, 2)
    let recorded = Recorded(queued)
    queue(queued, 3)
    recorded.expect(5)
    let standard = Recorded(SIGUSR1)
    send(SIGUSR1, 3)
    check(reach { standard.total >= 1 })
  },
  "allThreadsBlockHandledSignal": {
    Disposition.plain.set(queued)
    check(ct_block(queued, 1) == 0)
    let recorded = Recorded(queued)
    let witness = Recorded(SIGUSR1)
    queue(queued, 5)
    send(SIGUSR1)
    witness.expect(1)
    // The signals stay pending for the handler.
    check(recorded.calls == [] && ct_handler_calls() == 0)
    check(ct_block(queued, 0) == 0 && ct_handler_calls() == 5)
    recorded.expect(5)
  },
  "threadThatTogglesItsMaskWithHandler": {
    Disposition.plain.set(queued)
    check(ct_block(queued, 1) == 0)
    let recorded = Recorded(queued)
    withExtendedLifetime(Toggle(queued)) {
      queue(queued, 20_000)
      recorded.expect(20_000)
      check(ct_handler_calls() == 20_000)
    }
  },
  "threadThatTogglesItsMask": {
    check(ct_block(queued, 1) == 0)
    let recorded = Recorded(queued)
    withExtendedLifetime(Toggle(queued)) {
      queue(queued, 20_000)
      recorded.expect(20_000)
    }
  },
  "signalOfOneThread": {
    check(ct_block(SIGUSR1, 1) == 0)
    let recorded = Recorded(SIGUSR1)
    let toggle = Toggle(SIGUSR1)
    check(reach { toggle.thread != 0 })
    for count in 1...5 {
      check(ct_send_to_thread(SIGUSR1, toggle.thread) == 0)
      recorded.expect(UInt(count))
    }
  },
  "fewQueuedSignals": {
    check(ct_limit_signals(0) == 0)
    let recorded = Recorded(SIGUSR1)
    for count in 1...5 {
      send(SIGUSR1)
      recorded.expect(UInt(count))
    }
    check(ct_block(SIGUSR1, 1) == 0)
    send(SIGUSR1)
    recorded.expect(6)
  },
  "maskOfTheThread": {
    let recorded = Recorded(SIGUSR1)
    check(reach { ct_blocked_by_sources() != 0 })
    let blocked = ct_blocked_by_sources()
    let open: [Int32] = [
      SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGKILL, SIGSEGV, SIGSTOP, SIGSYS, 32, 33,
    ]
    let expected = open.reduce(UInt64.max) { $0 & ~(1 << UInt64($1 - 1)) }
    check(blocked == expected, String(blocked, radix: 16))
    recorded.cancel()
  },
  "processorTime": {
    Disposition.plain.set(queued)
    check(ct_block(queued, 1) == 0)
    let suspended = Recorded(SIGUSR1)
    let handled = Recorded(queued)
    suspended.source.suspend()
    send(SIGUSR1, 3)
    queue(queued, 3)
    let witness = Recorded(SIGUSR2)
    send(SIGUSR2)
    witness.expect(1)
    let start = KernelClock.processorTime
    _ = CountingSemaphore(value: 0).wait(timeout: .now() + .milliseconds(300))
    let used = KernelClock.processorTime - start
    check(used < 60_000_000, "\(used) ns")
    suspended.source.resume()
    suspended.expect(3)
    check(handled.calls == [])
  },
  "sequence": {
    let witness = Recorded(SIGUSR1)
    let isOver = SharedFlag()
    Task.detached {
      var total = 0
      do {
        for try await count in SignalSource.signals(SIGUSR1) {
          total += count
          if total >= 3 { break }
        }
      } catch { check(false, "\(error)") }
      isOver.set()
    }
    // The sequence receives the signals that arrive after its first wait. The default action ends
    // the program for a signal that no source has received at its end.
    let ends = reach {
      let former = witness.total
      send(SIGUSR1)
      return reach { witness.total > former } && isOver.isSet
    }
    check(ends && witness.total >= 3)
  },
]

/// A thread that blocks and unblocks a signal in turn until it is released.
final class Toggle: Sendable {
  private final class Shared: Sendable {
    let isOver = Atomic<Bool>(false)
    let thread = Atomic<Int32>(0)
  }

  private let shared = Shared()

  init(_ signal: Int32) {
    do throws(SystemError) {
      try PlatformThread.start(name: "toggle") { [shared] in
        shared.thread.store(PlatformThread.currentNumber, ordering: .relaxed)
        while !shared.isOver.load(ordering: .relaxed) {
          _ = ct_block(signal, 0)
          _ = ct_block(signal, 1)
        }
      }
    } catch { check(false, "no thread: \(error)") }
  }

  deinit { shared.isOver.store(true, ordering: .relaxed) }

  /// The kernel's number of the thread, 0 until it runs.
  var thread: Int32 { shared.thread.load(ordering: .relaxed) }
}

/// A flag that threads share.
final class SharedFlag: Sendable {
  private let flag = Atomic<Bool>(false)

  var isSet: Bool { flag.load(ordering: .relaxed) }

  func set() { flag.store(true, ordering: .relaxed) }
}
