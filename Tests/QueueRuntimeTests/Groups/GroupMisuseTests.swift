import Testing

@testable import QueueRuntime

/// A group is left as often as it was entered, and its count has a bound: S86.
@Suite struct GroupMisuseTests {
  @Test func leavingAGroupThatNobodyEntered() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let group = WorkGroup()
      group.enter()
      group.leave()
      group.leave()
    }
    check(result, says: "A group is left once for each time it was entered.")
  }

  @Test func enteringBeyondTheBound() async {
    let full = GroupWord(bits: GroupWord.countLimit << 1)
    #expect(full.count == 2_147_483_647)
    #expect(full.left.next.entered == full)
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      _ = GroupWord(bits: GroupWord.countLimit << 1).entered
    }
    check(result, says: "A group is entered at most 2147483647 times at once.")
  }
}
