/// The examination of a file after reports about it.
struct PendingExamination: Equatable, Sendable {
  /// The events that follow from the reports alone.
  var events: EventSource.FileSystemEvent = []
  /// Whether the bytes were changed.
  var isModified = false
  /// Whether the attributes or the number of names were changed.
  var hasAttributes = false
  /// Whether the directory may have been removed.
  var mayBeRemoved = false
  /// Whether reports were lost, so that everything is compared.
  var comparesAll = false
  /// Whether the watch of the file has ended.
  var renewsWatch = false
  /// Whether the watch of the file may have ended, whose report is among the lost ones.
  var checksWatch = false
  /// Whether the directory is in another directory now.
  var renewsParent = false

  /// Whether a watch is added for the file, which the kernel merges with an existing one.
  var addsWatch: Bool { renewsWatch || checksWatch }

  /// The parts of the file's state that are compared with the last known one.
  var comparedParts: FileObservationParts {
    if comparesAll { return .all }
    var parts: FileObservationParts = []
    // A changed name in a directory changes its bytes.
    if isModified || events.contains(.write) { parts.insert(.bytes) }
    if hasAttributes || mayBeRemoved { parts.insert(.links) }
    if hasAttributes { parts.insert(.attributes) }
    if hasAttributes || events.contains(.rename) { parts.insert(.changeTime) }
    return parts
  }
}

extension WatchTable {
  /// The examination of one receiver's file.
  struct Examination: Sendable {
    let member: WatchMember
    let descriptor: Int32
    let mask: Events
    let pending: PendingExamination
    /// The file that the descriptor had when it was added.
    let identity: FileIdentity
    let notices: FileNotices
    /// Whether the file's path is compared.
    var needsPlace: Bool {
      mask.contains(.rename) && (pending.comparesAll || pending.events.contains(.rename))
    }
  }

  /// Notes one report of the kernel.
  mutating func noted(_ notification: FileNotification) {
    let notices = notification.notices
    if notices.contains(.overflow) {
      for member in members.keys.sorted(by: { $0.number < $1.number }) {
        mark(member) { $0.comparesAll = true }
        if members[member]?.watch != nil { mark(member) { $0.checksWatch = true } }
        // A move may be among the lost reports.
        if members[member]?.parent != nil { mark(member) { $0.renewsParent = true } }
      }
      return
    }
    guard let watch = watches[notification.watch] else { return }
    if notices.contains(.ended) { return ended(notification.watch, watch) }
    if notification.hasName, notices.contains([.removed, .directory]) {
      for child in watch.children { mark(child) { $0.mayBeRemoved = true } }
    }
    for member in watch.members { note(notification, for: member) }
  }

  private mutating func note(_ notification: FileNotification, for member: WatchMember) {
    guard let mask = members[member]?.mask else { return }
    let notices = notification.notices
    if notification.hasName {
      // Other reports with a name are about the file of that name.
      if notices.isDisjoint(with: [.created, .removed, .movedFrom, .movedTo]) { return }
      let events: Events = notices.contains(.directory) ? [.write, .link] : .write
      return mark(member) { $0.events.formUnion(events) }
    }
    if notices.contains(.modified), !mask.isDisjoint(with: [.write, .extend]) {
      mark(member) { $0.isModified = true }
    }
    if notices.contains(.attributes), !mask.isDisjoint(with: [.attrib, .link, .delete]) {
      mark(member) { $0.hasAttributes = true }
    }
    if notices.contains(.selfMoved) {
      let hasParent = members[member]?.last.isDirectory == true && mask.needsParent
      mark(member) { pending in
        pending.events.insert(.rename)
        if hasParent { pending.renewsParent = true }
      }
    }
    if notices.contains(.unmounted) { mark(member) { $0.events.insert(.revoke) } }
  }

  /// Notes that the kernel has ended a watch without being asked to.
  private mutating func ended(_ number: Int32, _ watch: Watch) {
    watches[number] = nil
    for member in watch.members {
      members[member]?.watch = nil
      mark(member) { pending in
        pending.renewsWatch = true
        pending.comparesAll = true
      }
    }
    for child in watch.children {
      members[child]?.parent = nil
      mark(child) { $0.renewsParent = true }
    }
  }

  private mutating func mark(
    _ member: WatchMember,
    _ change: (inout PendingExamination) -> Void
  ) {
    guard let former = members[member]?.pending else { return }
    if former == PendingExamination() { dirty.append(member) }
    var pending = former
    change(&pending)
    if pending.renewsParent { pending.mayBeRemoved = true }
    members[member]?.pending = pending
  }

  /// Takes the examinations that the noted reports ask for.
  mutating func takeExaminations() -> [Examination] {
    defer { dirty = [] }
    return dirty.compactMap { number in
      guard var member = members[number] else { return nil }
      var pending = member.pending
      if pending.renewsWatch {
        // A file system that ends each watch at once must not keep the process busy.
        pending.renewsWatch = member.renewalsLeft > 0
        member.renewalsLeft -= 1
      }
      member.pending = PendingExamination()
      members[number] = member
      return Examination(
        member: number,
        descriptor: member.descriptor,
        mask: member.mask,
        pending: pending,
        identity: member.identity,
        notices: member.notices
      )
    }
  }

  /// Returns the events of an examined file, among those that the receiver wants.
  ///
  /// The state of the file is nil if the descriptor was closed.
  mutating func examined(_ examination: Examination, _ found: FileObservation?) -> Events {
    guard let last = members[examination.member]?.last else { return [] }
    let pending = examination.pending
    var events = pending.events
    if let found {
      if pending.isModified { events.formUnion(found.sizeEvents(since: last)) }
      if pending.hasAttributes { events.formUnion(found.attributeEvents(since: last)) }
      if pending.mayBeRemoved, found.isRemoved(since: last) { events.formUnion([.delete, .link]) }
      if pending.comparesAll { events.formUnion(found.allEvents(since: last)) }
      members[examination.member]?.last.take(pending.comparedParts, of: found)
    }
    return events.intersection(examination.mask)
  }
}
