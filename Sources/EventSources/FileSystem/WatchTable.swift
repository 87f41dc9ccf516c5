/// The identity of one receiver of a watch table.
struct WatchMember: Hashable, Sendable {
  let number: UInt64
}

/// The watched files of the process, and the receivers of their events.
///
/// The kernel has one watch for each file, however many receivers there are. A directory whose
/// removal is to be reported has a second watch on the directory that contains it, for the kernel
/// does not report the removal of an open directory to its own watch.
///
/// A report is noted first. The receivers that it concerns are then examined: the events follow
/// from the state of the file.
struct WatchTable: Sendable {
  typealias Events = EventSource.FileSystemEvent

  /// A change of the kernel's watches.
  enum Change: Equatable, Sendable {
    case remove(watch: Int32)
    /// Replaces the notices of a watch, through the descriptor of one of its receivers.
    case replace(watch: Int32, descriptor: Int32, notices: FileNotices)
  }

  struct Watch: Sendable {
    /// The receivers of the events of the file.
    var members: [WatchMember] = []
    /// The receivers whose directories the file contains.
    var children: [WatchMember] = []
  }

  struct Member: Sendable {
    let descriptor: Int32
    let mask: Events
    /// The file that the descriptor had when it was added.
    let identity: FileIdentity
    /// The watch of the file, nil after it has ended.
    var watch: Int32?
    /// The watch of the directory that contains the file.
    var parent: Int32?
    var last: FileObservation
    var pending = PendingExamination()
    /// The number of times that a watch that has ended is still created anew.
    var renewalsLeft = 16

    var notices: FileNotices { mask.notices(forDirectory: last.isDirectory) }
  }

  var members: [WatchMember: Member] = [:]
  var watches: [Int32: Watch] = [:]
  /// The receivers that are to be examined.
  var dirty: [WatchMember] = []
  /// The number of receivers of each file.
  private var counts: [FileIdentity: Int] = [:]
  private var nextNumber: UInt64 = 0

  var isEmpty: Bool { members.isEmpty }
  var hasWork: Bool { !dirty.isEmpty }

  /// Whether the kernel's watch is in use.
  func contains(watch: Int32) -> Bool { watches[watch] != nil }

  /// Whether a file has receivers.
  func contains(_ identity: FileIdentity) -> Bool { counts[identity] != nil }
}

// MARK: - Members

extension WatchTable {
  /// Adds a receiver whose watches the kernel has accepted.
  mutating func add(
    descriptor: Int32,
    mask: Events,
    watch: Int32,
    parent: Int32?,
    observed: FileObservation
  ) -> WatchMember {
    let member = WatchMember(number: nextNumber)
    nextNumber += 1
    members[member] = Member(
      descriptor: descriptor,
      mask: mask,
      identity: observed.identity,
      watch: watch,
      parent: parent,
      last: observed
    )
    counts[observed.identity, default: 0] += 1
    watches[watch, default: Watch()].members.append(member)
    if let parent { watches[parent, default: Watch()].children.append(member) }
    return member
  }

  /// Removes a receiver; does nothing if there is none.
  mutating func remove(_ member: WatchMember) -> [Change] {
    guard let removed = members[member] else { return [] }
    let former = removed.watch.map { notices(of: $0) } ?? []
    members[member] = nil
    let rest = counts[removed.identity, default: 1] - 1
    counts[removed.identity] = rest > 0 ? rest : nil
    var changes: [Change] = []
    if let watch = removed.watch {
      watches[watch]?.members.removeAll { $0 == member }
      changes += changed(watch, from: former)
    }
    if let parent = removed.parent { changes += leave(parent, member) }
    return changes
  }

  /// Removes a directory from the watch of the directory that contains it.
  private mutating func leave(_ parent: Int32, _ member: WatchMember) -> [Change] {
    let former = notices(of: parent)
    watches[parent]?.children.removeAll { $0 == member }
    return changed(parent, from: former)
  }

  /// Returns the change of a watch after a receiver has left it.
  private mutating func changed(_ watch: Int32, from former: FileNotices) -> [Change] {
    guard let rest = watches[watch] else { return [] }
    if rest.members.isEmpty, rest.children.isEmpty {
      watches[watch] = nil
      return [.remove(watch: watch)]
    }
    let now = notices(of: watch)
    // The directory that contains others has no descriptor here: it keeps its notices.
    guard now != former, let member = rest.members.first, let descriptor = descriptor(of: member)
    else { return [] }
    return [.replace(watch: watch, descriptor: descriptor, notices: now)]
  }

  func descriptor(of member: WatchMember) -> Int32? { members[member]?.descriptor }

  /// Returns the notices that the receivers of a watch need.
  func notices(of watch: Int32) -> FileNotices {
    guard let watch = watches[watch] else { return [] }
    return watch.members.reduce(watch.children.isEmpty ? [] : .removed) { notices, member in
      notices.union(members[member]?.notices ?? [])
    }
  }

  // MARK: - Watches that end or move

  /// Notes the watch that a file has now, nil if none could be added.
  mutating func renewed(_ member: WatchMember, watch: Int32?) -> [Change] {
    // The kernel refuses a second look at a file that the process may not read any more.
    guard let watch, let found = members[member], found.watch != watch else { return [] }
    members[member]?.watch = watch
    watches[watch, default: Watch()].members.append(member)
    guard let former = found.watch, var rest = watches[former] else { return [] }
    rest.members.removeAll { $0 == member }
    let isUnused = rest.members.isEmpty && rest.children.isEmpty
    watches[former] = isUnused ? nil : rest
    return isUnused ? [.remove(watch: former)] : []
  }

  /// Notes the watch of the directory that contains a directory now, nil if there is none.
  mutating func moved(_ member: WatchMember, parent: Int32?) -> [Change] {
    guard let former = members[member]?.parent, former != parent else {
      if members[member]?.parent == nil { enter(parent, member) }
      return []
    }
    enter(parent, member)
    return leave(former, member)
  }

  private mutating func enter(_ parent: Int32?, _ member: WatchMember) {
    guard members[member] != nil else { return }
    members[member]?.parent = parent
    if let parent { watches[parent, default: Watch()].children.append(member) }
  }
}

extension EventSource.FileSystemEvent {
  /// Returns the notices of the kernel from which these events of a file are found.
  func notices(forDirectory isDirectory: Bool) -> FileNotices {
    var notices: FileNotices = []
    if isDirectory {
      if !isDisjoint(with: [.write, .link]) {
        notices.formUnion([.created, .removed, .movedFrom, .movedTo])
      }
      if needsParent { notices.insert(.selfMoved) }
    } else if !isDisjoint(with: [.write, .extend]) {
      notices.insert(.modified)
    }
    if !isDisjoint(with: [.attrib, .link, .delete]) { notices.insert(.attributes) }
    if contains(.rename) { notices.insert(.selfMoved) }
    // The kernel refuses a watch without notices.
    return notices.isEmpty ? .selfRemoved : notices
  }

  /// Whether a directory's events are found by a watch of the directory that contains it.
  var needsParent: Bool { !isDisjoint(with: [.delete, .link]) }
}
