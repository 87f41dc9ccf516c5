internal import IOChannelsLocks
import QueueRuntime

/// The number of parts of the budget, of which one account may have one.
private let accountParts = 4

/// The state of a memory budget: the bytes that each account holds, and the waiters.
///
/// Each account may hold a quarter of the budget, and always a single piece, whatever other
/// accounts hold. Otherwise a waiter queues behind other waiters of its account, and the account
/// queues behind other accounts that wait for the budget. A smaller piece does not overtake them.
/// After a grant the account moves to the end of the queue.
struct BudgetState<Waiter: Sendable>: Sendable {
  /// A piece that was granted to a waiter.
  struct Grant: Sendable {
    var waiter: Waiter
    var bytes: Int
    var account: Int
  }

  private struct Account {
    var held = 0
    var waiting = FirstInFirstOut<Grant>()
    /// Whether the account is in the queue for the budget.
    var isQueued = false
    var isOpen = true
  }

  /// The bytes of the budget.
  let limit: Int
  /// The most bytes of one account, apart from a single piece.
  let share: Int
  /// The bytes that all accounts hold.
  ///
  /// They may exceed the budget by single pieces and by charged bytes.
  private(set) var used = 0
  private var accounts: [Account] = []
  private var free: [Int] = []
  /// The accounts that wait only for the budget, or behind such accounts, in order.
  private var queue = FirstInFirstOut<Int>()
  /// The number of waiters of all accounts; while it is 0, the queue is empty.
  private var waiterCount = 0

  init(limit: Int) {
    self.limit = limit
    share = limit / accountParts
  }

  /// Opens an account that holds no bytes.
  mutating func open() -> Int {
    if let number = free.popLast() {
      accounts[number] = Account()
      return number
    }
    accounts.append(Account())
    return accounts.count - 1
  }

  /// Closes an account that holds no bytes and has no waiters.
  mutating func close(_ number: Int) {
    precondition(held(by: number) == 0, "An account is closed when all its bytes were released.")
    accounts[number].isOpen = false
    free.append(number)
  }

  /// Returns the bytes that an account holds.
  func held(by number: Int) -> Int {
    precondition(accounts[number].isOpen, "An account is used while it is open.")
    return accounts[number].held
  }

  /// Whether there are waiters.
  var isShort: Bool { waiterCount > 0 }

  /// Takes a piece, or adds a waiter for it.
  ///
  /// - Returns: Whether the piece was taken.
  mutating func take(_ bytes: Int, for number: Int, orAdd waiter: Waiter) -> Bool {
    if takeNow(bytes, for: number) { return true }
    accounts[number].waiting.append(Grant(waiter: waiter, bytes: bytes, account: number))
    waiterCount += 1
    enqueue(number)
    return false
  }

  /// Takes a piece if it is available and the account has no waiters.
  ///
  /// - Returns: Whether the piece was taken.
  mutating func takeNow(_ bytes: Int, for number: Int) -> Bool {
    guard accounts[number].waiting.isEmpty, mayTake(bytes, number) else { return false }
    add(bytes, to: number)
    return true
  }

  /// Adds bytes to an account without checking the limits.
  mutating func charge(_ bytes: Int, to number: Int) {
    add(bytes, to: number)
  }

  /// Releases bytes of an account if no account has waiters.
  ///
  /// Usually none has, and the caller needs no list of grants.
  ///
  /// - Returns: Whether the bytes were released; otherwise `release` has to release them.
  mutating func releaseWithoutWaiters(_ bytes: Int, from number: Int) -> Bool {
    if waiterCount > 0 { return false }
    subtract(bytes, from: number)
    return true
  }

  /// Releases bytes of an account.
  ///
  /// - Returns: The waiters that were granted memory, in order.
  mutating func release(_ bytes: Int, from number: Int) -> ShortList<Grant> {
    subtract(bytes, from: number)
    var grants = ShortList<Grant>()
    serve(number, &grants)
    // The queue stops at the first account for which there is no room, so that it does not starve.
    while let first = queue.first, !isShortOfBudget(first) {
      _ = queue.popFirst()
      accounts[first].isQueued = false
      if let waiter = accounts[first].waiting.first, fits(waiter.bytes, first) {
        grant(to: first, &grants)
      }
      serve(first, &grants)
    }
    return grants
  }

  /// Grants memory to the waiters of an account, as far as it is available.
  private mutating func serve(_ number: Int, _ grants: inout ShortList<Grant>) {
    while let first = accounts[number].waiting.first, mayTake(first.bytes, number) {
      grant(to: number, &grants)
    }
    enqueue(number)
  }

  /// Grants the oldest waiter of an account its piece.
  private mutating func grant(to number: Int, _ grants: inout ShortList<Grant>) {
    guard let first = accounts[number].waiting.popFirst() else { return }
    waiterCount -= 1
    add(first.bytes, to: number)
    grants.append(first)
  }

  private mutating func enqueue(_ number: Int) {
    guard !accounts[number].isQueued, let first = accounts[number].waiting.first,
      first.bytes <= share - accounts[number].held
    else { return }
    accounts[number].isQueued = true
    queue.append(number)
  }

  /// Whether a piece is available and no account in the queue has priority.
  private func mayTake(_ bytes: Int, _ number: Int) -> Bool {
    fits(bytes, number) && (accounts[number].held == 0 || queue.isEmpty)
  }

  /// Whether an account's oldest waiter waits for the budget only, not for its own account.
  private func isShortOfBudget(_ number: Int) -> Bool {
    guard let first = accounts[number].waiting.first else { return false }
    return first.bytes <= share - accounts[number].held && !fits(first.bytes, number)
  }

  private func fits(_ bytes: Int, _ number: Int) -> Bool {
    let held = accounts[number].held
    return held == 0 || bytes <= share - held && bytes <= limit - used
  }

  private mutating func add(_ bytes: Int, to number: Int) {
    accounts[number].held += bytes
    used += bytes
  }

  private mutating func subtract(_ bytes: Int, from number: Int) {
    precondition(bytes <= held(by: number), "An account releases only bytes that it holds.")
    accounts[number].held -= bytes
    used -= bytes
  }
}
