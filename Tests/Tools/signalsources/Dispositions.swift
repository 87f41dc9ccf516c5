import CIOChannelsTestSupport
import EventSources
import Glibc
import IOChannelsSystem

/// Sends signals one by one, so that the handler takes some and the descriptor others.
private func receive(_ signal: Int32, by recorded: Recorded) {
  for count in 1...100 {
    send(signal)
    recorded.expect(UInt(count))
  }
}

/// Sources leave the dispositions of the program as they are, as far as they can.
let dispositions: [String: @Sendable () -> Void] = [
  "handlerOfTheProgram": {
    Disposition.plain.set(SIGUSR1, restarts: false)
    let recorded = Recorded(SIGUSR1)
    check(ct_restarts(SIGUSR1) == 0, "the handler's interruptions are lost")
    send(SIGUSR1, 1000)
    check(ct_handler_calls() == 1000)
    recorded.expect(1000)
    recorded.cancel()
    check(Disposition(of: SIGUSR1) == .plain)
    send(SIGUSR1)
    check(ct_handler_calls() == 1001)
    recorded.expect(1000)
  },
  "handlerWithInformation": {
    Disposition.informed.set(queued)
    let recorded = Recorded(queued)
    queue(queued, 1, value: 17)
    check(ct_handler_calls() == 1 && ct_last_value() == 17 && ct_other_was_blocked() == 1)
    recorded.expect(1)
  },
  "ignored": {
    Disposition.ignored.set(SIGUSR1)
    let recorded = Recorded(SIGUSR1)
    receive(SIGUSR1, by: recorded)
    recorded.cancel()
    check(Disposition(of: SIGUSR1) == .ignored)
    send(SIGUSR1)
  },
  "defaultAction": {
    let recorded = Recorded(SIGTERM)
    check(ct_restarts(SIGTERM) == 1)
    receive(SIGTERM, by: recorded)
    recorded.cancel()
    check(Disposition(of: SIGTERM) == .defaultAction)
  },
  "lastSourceRestores": {
    Disposition.informed.set(SIGUSR1)
    let first = Recorded(SIGUSR1)
    let second = Recorded(SIGUSR1)
    first.cancel()
    check(Disposition(of: SIGUSR1) == .other)
    send(SIGUSR1)
    second.expect(1)
    second.cancel()
    check(Disposition(of: SIGUSR1) == .informed && ct_restarts(SIGUSR1) == 1)
    let third = Recorded(SIGUSR1)
    send(SIGUSR1)
    third.expect(1)
    check(ct_handler_calls() == 2)
  },
  "quit": {
    Disposition.plain.set(SIGQUIT)
    let recorded = Recorded(SIGQUIT)
    receive(SIGQUIT, by: recorded)
    check(ct_handler_calls() == 0)
  },
  "quitWithBacktracer": {
    receive(SIGQUIT, by: Recorded(SIGQUIT))
  },
  "handlerSetLater": {
    let recorded = Recorded(SIGUSR1)
    Disposition.plain.set(SIGUSR1)
    send(SIGUSR1, 1000)
    check(ct_handler_calls() == 1000 && recorded.calls == [])
    // A further source takes the signal back, and the handler of the program still runs.
    let second = Recorded(SIGUSR1)
    send(SIGUSR1)
    recorded.expect(1)
    second.expect(1)
    check(ct_handler_calls() == 1001)
    recorded.cancel()
    second.cancel()
    check(Disposition(of: SIGUSR1) == .plain)
  },
  "handlerThatStays": {
    let recorded = Recorded(SIGUSR1)
    Disposition.plain.set(SIGUSR1)
    recorded.cancel()
    check(Disposition(of: SIGUSR1) == .plain)
    send(SIGUSR1)
    check(ct_handler_calls() == 1)
  },
  "handlerSetBetweenSources": {
    for round: Int32 in 1...3 {
      // The last source of each round leaves the handler in force, and the next one counts above
      // it.
      let recorded = Recorded(SIGUSR1)
      send(SIGUSR1)
      recorded.expect(1)
      check(ct_handler_calls() == round - 1)
      if round == 1 { Disposition.plain.set(SIGUSR1) }
      recorded.cancel()
      check(Disposition(of: SIGUSR1) == .plain)
    }
  },
  "handlersSetAgainAndAgain": {
    Disposition.plain.set(SIGUSR1)
    var total: Int32 = 0
    for _ in 0..<8 {
      let recorded = Recorded(SIGUSR1)
      send(SIGUSR1)
      recorded.expect(1)
      total += 1
      check(ct_handler_calls() == total)
      Disposition.plain.set(SIGUSR1)
      recorded.cancel()
    }
    // A handler of the program may call each of the counting ones by now.
    let refused = Recorded(SIGUSR1)
    check(refused.source.registrationError == .resourceBusy)
    refused.cancel()
    check(Disposition(of: SIGUSR1) == .plain)
    // Above an ignored signal no handler can be called without end.
    Disposition.ignored.set(SIGUSR1)
    receive(SIGUSR1, by: Recorded(SIGUSR1))
  },
  "handlerSetLaterThatCallsOurs": {
    let first = Recorded(SIGUSR1)
    Disposition.chained.set(SIGUSR1)
    send(SIGUSR1)
    first.expect(1)
    first.cancel()
    check(Disposition(of: SIGUSR1) == .chained)
    // This handler calls the counting one of the first source, which must not count once more.
    let second = Recorded(SIGUSR1)
    send(SIGUSR1)
    second.expect(1)
    check(ct_handler_calls() == 2)
    second.cancel()
    check(Disposition(of: SIGUSR1) == .chained)
    send(SIGUSR1)
    check(ct_handler_calls() == 3)
  },
  "ignoredForAWhile": {
    // As `system` does: the handler that counts is set aside, and set again later.
    Disposition.plain.set(SIGUSR1)
    let first = Recorded(SIGUSR1)
    check(ct_set_aside(SIGUSR1) == 0)
    send(SIGUSR1)
    let second = Recorded(SIGUSR1)
    send(SIGUSR1)
    first.expect(1)
    second.expect(1)
    check(ct_handler_calls() == 0)
    check(ct_set_back(SIGUSR1) == 0)
    send(SIGUSR1)
    first.expect(2)
    second.expect(2)
    check(ct_handler_calls() == 1)
    first.cancel()
    second.cancel()
    check(Disposition(of: SIGUSR1) == .plain)
  },
  "ignoredLater": {
    let first = Recorded(SIGUSR1)
    Disposition.ignored.set(SIGUSR1)
    let second = Recorded(SIGUSR1)
    receive(SIGUSR1, by: second)
    first.cancel()
    second.cancel()
    check(Disposition(of: SIGUSR1) == .ignored)
    for _ in 0..<20 {
      let recorded = Recorded(SIGUSR1)
      check(recorded.source.registrationError == nil)
      Disposition.ignored.set(SIGUSR1)
      recorded.cancel()
      check(Disposition(of: SIGUSR1) == .ignored)
    }
  },
  "handlerSetBackLater": {
    // As `system` does: the handler that counts is set aside, and set again after the last source.
    let recorded = Recorded(SIGUSR1)
    check(ct_set_aside(SIGUSR1) == 0)
    recorded.cancel()
    check(ct_set_back(SIGUSR1) == 0 && Disposition(of: SIGUSR1) == .other)
    let second = Recorded(SIGUSR1)
    send(SIGUSR1)
    second.expect(1)
    second.cancel()
    check(Disposition(of: SIGUSR1) == .defaultAction)
  },
  "endsByDefaultAction": {
    let recorded = Recorded(SIGUSR1)
    check(ct_set_aside(SIGUSR1) == 0)
    recorded.cancel()
    check(ct_set_back(SIGUSR1) == 0)
    send(SIGUSR1)
  },
  "endsByLateHandler": {
    let recorded = Recorded(SIGUSR1)
    check(ct_set_aside(SIGUSR1) == 0 && ct_set_back(SIGUSR1) == 0)
    recorded.cancel()
    check(Disposition(of: SIGUSR1) == .defaultAction)
    ct_call_set_aside(SIGUSR1)
  },
  "handlerThatCallsOursAfterTheLastSource": {
    let recorded = Recorded(SIGUSR1)
    Disposition.chained.set(SIGUSR1)
    recorded.cancel()
    send(SIGUSR1, 3)
    check(ct_handler_calls() == 3)
  },
  "childrenOfIgnoringProcess": {
    Disposition.ignored.set(SIGCHLD)
    let recorded = Recorded(SIGCHLD)
    check(ct_zombies(5) == 0)
    check(reach { recorded.total >= 1 } && recorded.total <= 5, "\(recorded.calls)")
    recorded.cancel()
    check(Disposition(of: SIGCHLD) == .ignored && ct_zombies(2) == 0)
  },
  "childrenWithoutZombies": {
    Disposition.plain.set(SIGCHLD)
    check(ct_leave_no_zombies() == 0 && ct_zombies(2) == 0)
    let recorded = Recorded(SIGCHLD)
    check(ct_zombies(5) == 0)
    check(reach { recorded.total >= 1 })
    recorded.cancel()
    check(Disposition(of: SIGCHLD) == .plain && ct_zombies(2) == 0)
  },
  "childrenOfOtherProcess": {
    let recorded = Recorded(SIGCHLD)
    check(ct_zombies(5) == 5)
    check(reach { recorded.total >= 1 })
  },
  "stoppedChildren": {
    Disposition.plain.set(SIGCHLD, stopsAreSilent: true)
    let recorded = Recorded(SIGCHLD)
    check(ct_stop_child() == 0)
    recorded.expect(1)
    check(ct_stops_are_silent(SIGCHLD) == 1 && ct_handler_calls() == 1)
  },
]
