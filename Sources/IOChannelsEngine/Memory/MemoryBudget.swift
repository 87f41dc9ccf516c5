import QueueRuntime
import IOChannelsSystem

/// Whoever waits for memory of a budget.
package protocol BudgetWaiter: AnyObject, Sendable {
  /// Takes memory that was waited for, once for each time; must be given back like all other.
  ///
  /// Called on whatever thread gave memory back, which it must not block. The waiter holds its
  /// account.
  ///
  /// - Returns: How much of the account's memory is not needed any more.
  func memoryGranted(_ bytes: Int) -> Int
}

/// The bound on memory that the engine's users have in the kernel's hands and in running handlers.
///
/// What a handler keeps is its caller's and counts no more. Any thread may call all members.
package final class MemoryBudget: Sendable {
  /// One user's part of a budget, at most a quarter; closed with its last reference.
  package final class Account: Sendable {
    private let budget: MemoryBudget
    private let number: Int

    fileprivate init(budget: MemoryBudget) {
      self.budget = budget
      number = budget.state.withLock { $0.open() }
    }

    deinit {
      budget.state.withLock { [number] in $0.close(number) }
    }

    /// Takes a piece, or has `waiter` called when there is one.
    ///
    /// A piece is always there for an account that has none.
    ///
    /// - Returns: Whether there was one.
    package func take(_ bytes: Int, orCall waiter: any BudgetWaiter) -> Bool {
      budget.state.withLock { [number] in $0.take(bytes, for: number, orAdd: waiter) }
    }

    /// Takes a piece if there is one and nobody of the account waits.
    ///
    /// - Returns: Whether there was one.
    package func takeNow(_ bytes: Int) -> Bool {
      budget.state.withLock { [number] in $0.takeNow(bytes, for: number) }
    }

    /// Counts memory that is in use in any case.
    package func charge(_ bytes: Int) {
      if bytes == 0 { return }
      budget.state.withLock { [number] in $0.charge(bytes, to: number) }
    }

    /// Gives memory back and calls who waited for it.
    package func giveBack(_ bytes: Int) {
      if bytes == 0 { return }
      // What waiters do not need is given back in turns, so that the stack stays flat. A waiter
      // may hold the last reference to its account, so it is kept until then.
      var returns = FirstInFirstOut<(account: Int, bytes: Int, waiter: (any BudgetWaiter)?)>()
      returns.append((number, bytes, nil))
      while let next = returns.popFirst() {
        if next.bytes == 0 { continue }
        let grants = withExtendedLifetime(next.waiter) {
          budget.state.withLock { $0.giveBack(next.bytes, from: next.account) }
        }
        for grant in grants {
          let unused = grant.waiter.memoryGranted(grant.bytes)
          returns.append((grant.account, unused, grant.waiter))
        }
      }
    }
  }

  /// The budget of the process: a sixteenth of the memory that it may use, at most 256 MiB and at
  /// least 8 MiB.
  package static let shared = MemoryBudget(
    limit: min(256 << 20, max(8 << 20, MemoryLimit.usable / 16))
  )

  private let state: BargingLock<BudgetState<any BudgetWaiter>>

  /// Makes a budget of so many bytes.
  package init(limit: Int) {
    state = BargingLock(BudgetState(limit: limit))
  }

  /// Opens an account that has nothing.
  package func makeAccount() -> Account { Account(budget: self) }

  /// The bytes that all accounts have.
  package var used: Int { state.withLock { $0.used } }

  /// Whether somebody waits for memory.
  package var isShort: Bool { state.withLock { $0.isShort } }

  /// The bytes that all accounts may have together.
  package var limit: Int { state.withLock { $0.limit } }
}
