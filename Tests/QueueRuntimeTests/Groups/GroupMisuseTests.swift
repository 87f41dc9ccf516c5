import IOChannelsTestSupport
import Testing

@testable import QueueRuntime

@Suite("Misuse of groups (S86)")
struct GroupMisuseTests {
  @Test("A leave without an enter stops the program")
  func leavingAGroupThatNobodyEntered() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let group = WorkGroup()
      group.enter()
      group.leave()
      group.leave()
    }
    expectMessage("A group is left once for each time it was entered.", from: result)
  }

  @Test("An enter beyond the bound stops the program")
  func enteringBeyondTheBound() async {
    let full = GroupWord(bits: GroupWord.countLimit << 1)
    #expect(full.count == 2_147_483_647)
    #expect(full.left.next.entered == full)
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      _ = GroupWord(bits: GroupWord.countLimit << 1).entered
    }
    expectMessage("A group is entered at most 2147483647 times at once.", from: result)
  }
}
