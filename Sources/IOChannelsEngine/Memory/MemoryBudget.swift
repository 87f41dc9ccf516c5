internal import IOChannelsLocks
import IOChannelsSystem

/// A waiter for memory of a budget.
package protocol BudgetWaiter: AnyObject, Sendable {
  /// Receives memory that it waited for, once for each wait.
  ///
  /// The memory must be released like any other. The call comes on the thread that released memory,
  /// and must not block. The waiter keeps its account alive.
  ///
  /// - Returns: The bytes of the account that the waiter does not need any more.
  func memoryGranted(_ bytes: Int) -> Int
}

/// The limit on the memory in pending requests and running handlers.
///
/// Memory that a handler keeps belongs to the caller and is not counted. All members are
/// thread-safe.
package final class MemoryBudget: Sendable {
  /// The share of one user in a budget, at most a quarter.
  ///
  /// It is closed with its last reference.
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

    /// Takes a piece, or adds `waiter`, which is called when a piece is available.
    ///
    /// An account that holds nothing always gets a piece.
    ///
    /// - Returns: Whether the piece was taken.
    package func take(_ bytes: Int, orCall waiter: any BudgetWaiter) -> Bool {
      budget.state.withLock { [number] in $0.take(bytes, for: number, orAdd: waiter) }
    }

    /// Takes a piece if it is available and the account has no waiters.
    ///
    /// - Returns: Whether the piece was taken.
    package func takeNow(_ bytes: Int) -> Bool {
      budget.state.withLock { [number] in $0.takeNow(bytes, for: number) }
    }

    /// Counts memory that is in use already, without checking the limits.
    package func charge(_ bytes: Int) {
      if bytes == 0 { return }
      budget.state.withLock { [number] in $0.charge(bytes, to: number) }
    }

    /// Releases memory and calls the waiters that are granted some of it.
    package func release(_ bytes: Int) {
      if bytes == 0 { return }
      let grants: ShortList<BudgetState<any BudgetWaiter>.Grant>? =
        budget.state.withLock { [number] in
          $0.releaseWithoutWaiters(bytes, from: number) ? nil : $0.release(bytes, from: number)
        }
      if let grants { budget.pass(grants) }
    }
  }

  /// The budget of the process: a sixteenth of its usable memory, from 8 MiB to 256 MiB, unless
  /// the environment sets another one.
  package static let shared = MemoryBudget(
    limit: EngineLimit.memory.value(
      default: min(256 << 20, max(8 << 20, MemoryLimit.usable / 16))
    )
  )

  private let state: BargingLock<BudgetState<any BudgetWaiter>>

  /// Creates a budget of `limit` bytes.
  package init(limit: Int) {
    state = BargingLock(BudgetState(limit: limit))
  }

  /// Calls the waiters that were granted memory, and those that are granted what these release.
  private func pass(_ first: consuming ShortList<BudgetState<any BudgetWaiter>.Grant>) {
    // Memory that waiters do not need is released in a loop, not by recursion, so the stack stays
    // flat. A waiter may hold the last reference to its account, so the loop keeps the waiter until
    // then.
    var returns = FirstInFirstOut<BudgetState<any BudgetWaiter>.Grant>()
    var grants = consume first
    while true {
      for index in grants.indices {
        var grant = grants.take(at: index)
        grant.bytes = grant.waiter.memoryGranted(grant.bytes)
        if grant.bytes > 0 { returns.append(grant) }
      }
      guard let next = returns.popFirst() else { return }
      grants = withExtendedLifetime(next.waiter) {
        state.withLock { $0.release(next.bytes, from: next.account) }
      }
    }
  }

  /// Creates an account that holds no bytes.
  package func makeAccount() -> Account { Account(budget: self) }

  /// The bytes that all accounts hold.
  package var used: Int { state.withLock { $0.used } }

  /// Whether there are waiters for memory.
  package var isShort: Bool { state.withLock { $0.isShort } }

  /// The bytes that all accounts together may hold.
  package var limit: Int { state.withLock { $0.limit } }
}
