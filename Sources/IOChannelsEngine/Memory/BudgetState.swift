import QueueRuntime

/// Into how many parts the whole is cut, of which an account may have one.
private let accountParts = 4

/// Who has how much of a bounded amount of memory, and who waits for some.
///
/// Each account may have a quarter of the whole, and always one piece, whatever others have.
/// Whoever does not get a piece waits: behind others of the account, and for the whole behind other
/// accounts that wait. Nobody passes them with a smaller piece, and an account that was served goes
/// to the end of the line with the next one.
struct BudgetState<Waiter: Sendable>: Sendable {
  /// A piece that somebody who waited got.
  struct Grant: Sendable {
    var waiter: Waiter
    var bytes: Int
    var account: Int
  }

  private struct Account {
    var held = 0
    var waiting = FirstInFirstOut<Grant>()
    /// Whether it is in the line for the whole.
    var isInLine = false
    var isOpen = true
  }

  /// The whole.
  let limit: Int
  /// The most bytes of one account, apart from a single piece.
  let share: Int
  /// What all accounts have; more than the whole by the single pieces and by what was charged.
  private(set) var used = 0
  private var accounts: [Account] = []
  private var free: [Int] = []
  /// Accounts whose oldest waiter fits its account, but not the whole, or waits behind such ones.
  private var line = FirstInFirstOut<Int>()

  init(limit: Int) {
    self.limit = limit
    share = limit / accountParts
  }

  /// Opens an account that has nothing.
  mutating func open() -> Int {
    if let number = free.popLast() {
      accounts[number] = Account()
      return number
    }
    accounts.append(Account())
    return accounts.count - 1
  }

  /// Closes an account that has nothing and for which nobody waits.
  mutating func close(_ number: Int) {
    precondition(held(by: number) == 0, "An account is closed when everything was given back.")
    accounts[number].isOpen = false
    free.append(number)
  }

  /// What an account has.
  func held(by number: Int) -> Int {
    precondition(accounts[number].isOpen, "An account is used while it is open.")
    return accounts[number].held
  }

  /// Whether somebody waits.
  var isShort: Bool { accounts.contains { !$0.waiting.isEmpty } }

  /// Takes a piece, or lets somebody wait for it.
  ///
  /// - Returns: Whether there was one.
  mutating func take(_ bytes: Int, for number: Int, orAdd waiter: Waiter) -> Bool {
    if takeNow(bytes, for: number) { return true }
    accounts[number].waiting.append(Grant(waiter: waiter, bytes: bytes, account: number))
    joinLine(number)
    return false
  }

  /// Takes a piece if it is there and nobody waits for it.
  ///
  /// - Returns: Whether it was.
  mutating func takeNow(_ bytes: Int, for number: Int) -> Bool {
    guard accounts[number].waiting.isEmpty, mayTake(bytes, number) else { return false }
    add(bytes, to: number)
    return true
  }

  /// Notes memory that an account has in any case.
  mutating func charge(_ bytes: Int, to number: Int) {
    add(bytes, to: number)
  }

  /// Takes memory back.
  ///
  /// - Returns: Who got some of it, in order.
  mutating func giveBack(_ bytes: Int, from number: Int) -> [Grant] {
    precondition(bytes <= held(by: number), "An account gives back what it has.")
    accounts[number].held -= bytes
    used -= bytes
    var grants: [Grant] = []
    serve(number, &grants)
    // The line stops at the first one for which there is no room, so that it does not starve.
    while let first = line.first, !lacksTheWhole(first) {
      _ = line.popFirst()
      accounts[first].isInLine = false
      if let waiter = accounts[first].waiting.first, fits(waiter.bytes, first) {
        grant(to: first, &grants)
      }
      serve(first, &grants)
    }
    return grants
  }

  /// Gives the waiters of an account what they may take.
  private mutating func serve(_ number: Int, _ grants: inout [Grant]) {
    while let first = accounts[number].waiting.first, mayTake(first.bytes, number) {
      grant(to: number, &grants)
    }
    joinLine(number)
  }

  /// Gives the oldest waiter of an account what it waits for.
  private mutating func grant(to number: Int, _ grants: inout [Grant]) {
    guard let first = accounts[number].waiting.popFirst() else { return }
    add(first.bytes, to: number)
    grants.append(first)
  }

  private mutating func joinLine(_ number: Int) {
    guard !accounts[number].isInLine, let first = accounts[number].waiting.first,
      first.bytes <= share - accounts[number].held
    else { return }
    accounts[number].isInLine = true
    line.append(number)
  }

  /// Whether a piece is there that nobody of the line has to get first.
  private func mayTake(_ bytes: Int, _ number: Int) -> Bool {
    fits(bytes, number) && (accounts[number].held == 0 || line.isEmpty)
  }

  /// Whether the whole is all that an account's oldest waiter lacks.
  private func lacksTheWhole(_ number: Int) -> Bool {
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
}
