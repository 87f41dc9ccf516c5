import QueueRuntime
import Testing

/// Each misuse ends the process instead of waiting for ever.
@Suite struct MisuseTests {
  @Test func leavingAGroupThatNobodyEntered() async {
    await #expect(processExitsWith: .failure) {
      let group = WorkGroup()
      group.enter()
      group.leave()
      group.leave()
    }
  }
}
