import QueueRuntime
import Testing

/// An item is waited for once, and then runs once: S85.
@Suite struct ItemMisuseTests {
  @Test func waitingTwice() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      // It blocks, which the compiler refuses in a task itself (S170).
      func misuse() {
        let item = WorkItem {}
        item.perform()
        item.wait()
        item.wait()
      }
      misuse()
    }
    check(result, says: "A work item is waited for once.")
  }

  @Test func waitingTwiceWithADeadline() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      // It blocks, which the compiler refuses in a task itself (S170).
      func misuse() {
        let item = WorkItem {}
        item.perform()
        _ = item.wait(timeout: .distantFuture)
        _ = item.wait(wallTimeout: .now())
      }
      misuse()
    }
    check(result, says: "A work item is waited for once.")
  }

  @Test func waitingForWhatRanTwice() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      // It blocks, which the compiler refuses in a task itself (S170).
      func misuse() {
        let item = WorkItem {}
        item.perform()
        item.perform()
        item.wait()
      }
      misuse()
    }
    check(result, says: "A work item that ran more than once is not waited for.")
  }

  @Test func runningWhatWasWaitedForAgain() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      // It blocks, which the compiler refuses in a task itself (S170).
      func misuse() {
        let item = WorkItem {}
        item.perform()
        item.wait()
        item.perform()
      }
      misuse()
    }
    check(result, says: "A work item that is waited for runs once.")
  }
}
