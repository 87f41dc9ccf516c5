import IOChannelsSystem

/// Who copies a file that has several names, and who gives it a further one.
///
/// The first name that is met is copied; the others wait for it. An entry dies when all names were
/// seen.
struct HardLinkTable<Waiter: Sendable> {
  /// What to do with a name.
  enum Claim: Sendable {
    /// Copy the file and tell how it went.
    case copy
    /// Nothing: the waiter comes back when the first name is there or has failed.
    case wait
    /// Give the file that has this name a further one.
    case link(to: Waiter)
    /// Copy the file as if it had one name: the table is full.
    case copyAlone
  }

  private enum State {
    case copying(waiting: [Waiter])
    case copied(Waiter)
  }

  private struct Entry {
    var state: State
    /// How many names were not seen yet.
    var unseen: UInt64
  }

  /// The most files that are kept track of at a time.
  let limit: Int
  private var entries: [FileIdentity: Entry] = [:]

  init(limit: Int = 1_000_000) {
    self.limit = limit
  }

  /// How many files are kept track of.
  var count: Int { entries.count }

  /// Forgets all files, so that further names of them are copied again.
  mutating func forgetAll() {
    entries = [:]
  }

  /// Asks what to do with a name of a file that has `links` names, two at least.
  mutating func claim(_ file: FileIdentity, links: UInt64, by waiter: Waiter) -> Claim {
    guard var entry = entries[file] else {
      if entries.count >= limit { return .copyAlone }
      entries[file] = Entry(state: .copying(waiting: []), unseen: links - 1)
      return .copy
    }
    entry.unseen -= min(1, entry.unseen)
    switch entry.state {
    case .copying(var waiting):
      waiting.append(waiter)
      entry.state = .copying(waiting: waiting)
      entries[file] = entry
      return .wait
    case .copied(let first):
      entries[file] = entry.unseen == 0 ? nil : entry
      return .link(to: first)
    }
  }

  /// Tells that a file was copied under a name.
  ///
  /// Also starts a new chain when the old name takes no further links.
  ///
  /// - Returns: Who waited for it.
  mutating func copied(_ file: FileIdentity, as name: Waiter) -> [Waiter] {
    guard var entry = entries[file] else { return [] }
    var waiters: [Waiter] = []
    if case .copying(let waiting) = entry.state { waiters = waiting }
    entry.state = .copied(name)
    entries[file] = entry.unseen == 0 ? nil : entry
    return waiters
  }

  /// Tells that a file could not be copied.
  ///
  /// - Returns: Who is to copy it instead, under another name.
  mutating func failed(_ file: FileIdentity) -> Waiter? {
    guard var entry = entries[file], case .copying(var waiting) = entry.state else { return nil }
    if waiting.isEmpty {
      entries[file] = nil
      return nil
    }
    let next = waiting.removeFirst()
    entry.state = .copying(waiting: waiting)
    entries[file] = entry
    return next
  }
}
