import IOChannelsEngine
import IOChannelsSystem
import Testing

@Suite("Accounts of a memory budget (S115)")
struct MemoryBudgetTests {
  @Test("An account lives until its memory is returned")
  func anAccountLivesUntilWhatItWasGrantedIsBack() {
    let budget = MemoryBudget(limit: 400)
    let crowd = (0..<4).map { _ in budget.makeAccount() }
    let nobody = LateWaiter(account: budget.makeAccount())
    for account in crowd {
      let isThere = account.take(90, orCall: nobody)
      #expect(isThere)
    }
    waitAndLeave(budget)
    crowd[0].release(90)
    #expect(budget.used == 270)
    for account in crowd.dropFirst() { account.release(90) }
  }

  @Test("The budget of a process is a sixteenth of its memory")
  func theBudgetOfTheProcessIsASixteenthOfItsMemory() {
    let limit = MemoryBudget.shared.limit
    #expect(limit <= 256 << 20)
    let isOfMemory = (limit * 16...limit * 16 + 15).contains(MemoryLimit.usable)
    #expect(isOfMemory || limit == 256 << 20 || limit == 8 << 20)
    if limit == 256 << 20 { #expect(MemoryLimit.usable >= 16 * limit) }
    if limit == 8 << 20 { #expect(MemoryLimit.usable < 17 * limit) }
  }

  /// Leaves the budget alone with somebody who waits for memory.
  private func waitAndLeave(_ budget: MemoryBudget) {
    let waiter = LateWaiter(account: budget.makeAccount())
    let isThere = waiter.account.take(10, orCall: waiter)
    let isShort = !waiter.account.take(40, orCall: waiter)
    #expect(isThere && isShort)
  }
}

/// Needs nothing any more when its memory comes, and gives back what it had.
private final class LateWaiter: BudgetWaiter {
  let account: MemoryBudget.Account

  init(account: MemoryBudget.Account) {
    self.account = account
  }

  func memoryGranted(_ bytes: Int) -> Int {
    account.release(10)
    return bytes
  }
}
