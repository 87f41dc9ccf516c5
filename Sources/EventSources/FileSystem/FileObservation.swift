/// The state of a file by which kinds of changes are distinguished.
struct FileObservation: Equatable, Sendable {
  let identity: FileIdentity
  let isDirectory: Bool
  var size: Int64
  var links: UInt64
  var mode: UInt32
  var owner: UInt32
  var group: UInt32
  var modified: FileTime
  var changed: FileTime
  /// A hash of the file's path, nil if it is not known.
  var place: Int?

  init(_ status: FileStatus, place: Int? = nil) {
    identity = status.identity
    isDirectory = status.kind == .directory
    size = status.size
    links = status.links
    mode = status.mode
    owner = status.owner
    group = status.group
    modified = status.modified
    changed = status.changed
    self.place = place
  }
}

extension FileObservation {
  /// Returns the events of a change of the bytes since another observation.
  func sizeEvents(since last: FileObservation) -> EventSource.FileSystemEvent {
    size > last.size ? [.write, .extend] : .write
  }

  /// Returns the events of a change of the attributes or names since another observation.
  func attributeEvents(since last: FileObservation) -> EventSource.FileSystemEvent {
    let events = nameEvents(since: last)
    // The kernel merges equal reports, so that one may stand for changes of both kinds.
    return events.isEmpty || !hasAttributes(of: last) ? events.union(.attrib) : events
  }

  /// Returns the events of a change of the names since another observation.
  ///
  /// The number of a directory's links counts its subdirectories, so that only 0 has a meaning.
  private func nameEvents(since last: FileObservation) -> EventSource.FileSystemEvent {
    if isDirectory { return isRemoved(since: last) ? [.delete, .link] : [] }
    if links == last.links { return [] }
    return links < last.links ? [.delete, .link] : .link
  }

  private func hasAttributes(of last: FileObservation) -> Bool {
    (mode, owner, group) == (last.mode, last.owner, last.group)
  }

  /// Whether the last name was removed since another observation.
  func isRemoved(since last: FileObservation) -> Bool { links == 0 && last.links != 0 }

  /// Returns the events of all changes since another observation, where reports were lost.
  func allEvents(since last: FileObservation) -> EventSource.FileSystemEvent {
    var events = nameEvents(since: last)
    // The number of subdirectories has changed.
    if links != last.links { events.insert(.link) }
    if let place, let former = last.place, place != former { events.insert(.rename) }
    // A change of names or bytes also changes the time of the last change.
    let isExplained = changed == last.changed || changed == modified || !events.isEmpty
    if !isExplained || !hasAttributes(of: last) { events.insert(.attrib) }
    if size != last.size || modified != last.modified {
      events.formUnion(isDirectory ? .write : sizeEvents(since: last))
    }
    return events
  }

  /// Takes the parts of another observation that were compared with this one.
  ///
  /// The other parts stay: the report of their change may still wait in the kernel's queue.
  mutating func take(_ parts: FileObservationParts, of found: FileObservation) {
    if parts.contains(.bytes) { (size, modified) = (found.size, found.modified) }
    if parts.contains(.links) { links = found.links }
    if parts.contains(.attributes) {
      (mode, owner, group) = (found.mode, found.owner, found.group)
    }
    if parts.contains(.changeTime) { changed = found.changed }
    place = found.place ?? place
  }
}

/// The parts of a file's state, of which reports ask for some.
struct FileObservationParts: OptionSet, Sendable {
  let rawValue: UInt8

  /// The size and the time of the last modification.
  static let bytes = Self(rawValue: 1)
  /// The number of names.
  static let links = Self(rawValue: 2)
  /// The mode and the owner.
  static let attributes = Self(rawValue: 4)
  /// The time of the last change of anything but the bytes.
  static let changeTime = Self(rawValue: 8)

  static let all: Self = [.bytes, .links, .attributes, .changeTime]
}
