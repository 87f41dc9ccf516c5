import Synchronization
import SystemCalls
import Testing

@testable import RequestEngine

/// Which requests the kernel gets, and which never reach it.
@Suite struct RequestSchedulerTests {
  @Test func aCancellationThatComesFirstNeedsNoSlot() {
    let answers = Answers()
    let requests = (0..<2).map { tag in
      Request(
        .status(nil, following: false),
        descriptor: .workingDirectory,
        tag: tag,
        owner: answers
      )
    }
    var scheduler = RequestScheduler(limits: .init(requests: 1, pollable: 1, perDevice: 1))
    var actions: [RequestScheduler.Action] = []
    scheduler.submit(requests[0])
    scheduler.start(at: 0, &actions)
    requests[1].isCancelled.store(true, ordering: .releasing)
    scheduler.cancel(requests[1], &actions)
    scheduler.start(at: 0, &actions)
    scheduler.submit(requests[1])
    #expect(scheduler.canStart)
    actions = []
    scheduler.start(at: 0, &actions)
    guard case .end(let request, let answer)? = actions.first else {
      Issue.record("it waits for a slot")
      return
    }
    #expect(request === requests[1] && answer == -Errno.canceled.rawValue)
  }
}
