import IOChannelsSystem

/// A table of source files with several names, which are copied once and then linked.
///
/// The first name found is copied, and the other names wait for it. An entry is removed after all
/// names of its file were found, unless names may be found more than once.
struct HardLinkTable<Waiter: Sendable> {
  /// The action for a name.
  enum Claim: Sendable {
    /// Copy the file, and report the result to the table.
    case copy
    /// Do nothing. The table returns the waiter after the first name was copied or has failed.
    case wait
    /// Create a hard link to the copy with this name.
    case link(to: Waiter)
    /// Copy the file as if it had one name, because the table is full.
    case copyAlone
  }

  private enum State {
    case copying(waiting: [Waiter])
    case copied(Waiter)
  }

  private struct Entry {
    var state: State
    /// The number of names that were not found yet.
    var unseen: UInt64
  }

  /// The maximum number of files in the table.
  let limit: Int
  /// Whether names may be found more than once, as where one operand is inside another one.
  ///
  /// Complete entries then stay until they are a quarter of the maximum.
  var mayFindNamesAgain = false
  private var entries: [FileIdentity: Entry] = [:]
  /// The number of entries that stay although all names were found.
  private var completeCount = 0

  init(limit: Int = 1_000_000) {
    self.limit = limit
  }

  /// The number of files in the table.
  var count: Int { entries.count }

  /// Forgets all files, so that further names of them are copied again.
  mutating func forgetAll() {
    entries = [:]
    completeCount = 0
  }

  /// Registers a name of a file that has `links` names, at least two, and returns its action.
  mutating func claim(_ file: FileIdentity, links: UInt64, by waiter: Waiter) -> Claim {
    guard var entry = entries[file] else {
      if entries.count >= limit { return .copyAlone }
      entries[file] = Entry(state: .copying(waiting: []), unseen: links - 1)
      return .copy
    }
    let wasComplete = entry.unseen == 0
    entry.unseen -= min(1, entry.unseen)
    switch entry.state {
    case .copying(var waiting):
      waiting.append(waiter)
      entry.state = .copying(waiting: waiting)
      entries[file] = entry
      return .wait
    case .copied(let first):
      if !wasComplete { keep(entry, of: file) }
      return .link(to: first)
    }
  }

  /// Records that a file was copied under a name, to which further names are linked.
  ///
  /// A later call replaces that name, for a copy that has reached its maximum number of links.
  ///
  /// - Returns: The waiters of the file.
  mutating func copied(_ file: FileIdentity, as name: Waiter) -> [Waiter] {
    guard var entry = entries[file] else { return [] }
    var waiters: [Waiter] = []
    if case .copying(let waiting) = entry.state { waiters = waiting }
    entry.state = .copied(name)
    keep(entry, of: file)
    return waiters
  }

  /// Stores an entry, or removes it if no name of its file will be found.
  private mutating func keep(_ entry: Entry, of file: FileIdentity) {
    if entry.unseen > 0 {
      entries[file] = entry
    } else if mayFindNamesAgain {
      entries[file] = entry
      completeCount += 1
      if completeCount > limit / 4 { removeComplete() }
    } else {
      entries[file] = nil
    }
  }

  private mutating func removeComplete() {
    entries = entries.filter { entry in
      if case .copied = entry.value.state { entry.value.unseen > 0 } else { true }
    }
    completeCount = 0
  }

  /// Records that a file could not be copied.
  ///
  /// - Returns: The waiter that is to copy the file under another name; nil if there is none.
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
