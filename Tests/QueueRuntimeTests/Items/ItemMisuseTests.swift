import QueueRuntime
import IOChannelsTestSupport
import Testing

@Suite("Misuse of items (S85)")
struct ItemMisuseTests {
  @Test("A second wait stops the program")
  func waitingTwice() async {
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
    expectMessage("A work item is waited for once.", from: result)
  }

  @Test("A second wait with a deadline stops the program")
  func waitingTwiceWithADeadline() async {
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
    expectMessage("A work item is waited for once.", from: result)
  }

  @Test("A wait for an item that ran twice stops the program")
  func waitingForWhatRanTwice() async {
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
    expectMessage("A work item that ran more than once is not waited for.", from: result)
  }

  @Test("A second run of an item that was waited for stops the program")
  func runningWhatWasWaitedForAgain() async {
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
    expectMessage("A work item that is waited for runs once.", from: result)
  }
}
