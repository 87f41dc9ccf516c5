import CIOChannelsTestSupport
import EventSources
import Glibc
import QueueRuntime
import IOChannelsSystem

/// Children, limits and many sources at once.
let surroundings: [String: @Sendable () -> Void] = [
  "childWithHandler": {
    Disposition.plain.set(SIGUSR1)
    let recorded = Recorded(SIGUSR1)
    let child = ct_fork()
    if child == 0 {
      _ = ct_send(SIGUSR1, 3)
      ct_leave(ct_handler_calls())
    }
    check(ct_end_of_child(child) == 3)
    check(ct_handler_calls() == 0 && recorded.calls == [])
    send(SIGUSR1)
    recorded.expect(1)
  },
  "childWithDefaultAction": {
    let recorded = Recorded(SIGTERM)
    let child = ct_fork()
    if child == 0 {
      _ = ct_send(SIGTERM, 1)
      ct_leave(0)
    }
    check(ct_end_of_child(child) == -SIGTERM)
    send(SIGTERM)
    recorded.expect(1)
  },
  "childThatIgnores": {
    Disposition.ignored.set(SIGUSR1)
    let recorded = Recorded(SIGUSR1)
    let child = ct_fork()
    if child == 0 {
      _ = ct_send(SIGUSR1, 1)
      ct_leave(7)
    }
    check(ct_end_of_child(child) == 7)
    send(SIGUSR1)
    recorded.expect(1)
  },
  "childThatDropsTheSource": {
    var recorded: Recorded? = Recorded(SIGUSR1)
    let child = ct_fork()
    if child == 0 {
      recorded?.source.cancel()
      recorded = nil
      // The disposition is that of the process.
      ct_leave(Disposition(of: SIGUSR1) == .other ? 0 : 1)
    }
    check(ct_end_of_child(child) == 0)
    send(SIGUSR1)
    recorded?.expect(1)
  },
  "noDescriptors": {
    let former = ct_limit_descriptors(3)
    for limit in 3..<9 {
      check(ct_limit_descriptors(Int64(limit)) >= 0)
      let recorded = Recorded(SIGUSR1)
      if recorded.source.registrationError == nil { break }
      check(recorded.source.registrationError == .tooManyOpenFiles)
      check(Disposition(of: SIGUSR1) == .defaultAction)
      recorded.cancel()
    }
    check(ct_limit_descriptors(former) >= 0)
    let recorded = Recorded(SIGUSR1)
    check(recorded.source.registrationError == nil)
    send(SIGUSR1)
    recorded.expect(1)
  },
  "signalOfTheLibrary": {
    CallInterruption.allowing {}
    let reserved = CallInterruption.reservedSignal
    check(reserved > 0)
    let refused = Recorded(reserved)
    check(refused.source.registrationError == .resourceBusy)
    refused.cancel()
    let recorded = Recorded(reserved - 1)
    send(reserved - 1)
    recorded.expect(1)
  },
  "storm": {
    let pending = WorkGroup()
    let isOver = SharedFlag()
    let kept = Recorded(SIGUSR2)
    for _ in 0..<4 {
      WorkQueue.global().async(group: pending) {
        for round in 0..<200 {
          let signal = round % 2 == 0 ? SIGUSR1 : SIGUSR2
          let source = EventSource.makeSignalSource(signal: signal)
          let received = CountingSemaphore(value: 0)
          source.setEventHandler { received.signal() }
          source.activate()
          received.wait()
          source.cancel()
        }
      }
    }
    WorkQueue.global().async {
      pending.wait()
      isOver.set()
    }
    // Without a source the default action would end the process.
    let second = Recorded(SIGUSR1)
    var sent: UInt = 0
    let ends = reach {
      send(SIGUSR1)
      send(SIGUSR2)
      sent += 1
      return isOver.isSet
    }
    check(ends)
    second.expect(sent)
    kept.expect(sent)
    second.cancel()
    kept.cancel()
    check(Disposition(of: SIGUSR1) == .defaultAction)
    check(Disposition(of: SIGUSR2) == .defaultAction)
  },
]
