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
  ///
  /// The number of a directory's links counts its subdirectories, so only 0 has a meaning.
  func attributeEvents(since last: FileObservation) -> EventSource.FileSystemEvent {
    if isDirectory { return isRemoved(since: last) ? [.delete, .link] : .attrib }
    if links == last.links { return .attrib }
    return links < last.links ? [.delete, .link] : .link
  }

  /// Whether the last name was removed since another observation.
  func isRemoved(since last: FileObservation) -> Bool { links == 0 && last.links != 0 }

  /// Returns the events of all changes since another observation, where reports were lost.
  func allEvents(since last: FileObservation) -> EventSource.FileSystemEvent {
    var events: EventSource.FileSystemEvent = []
    let isModified = size != last.size || modified != last.modified
    if isModified { events.formUnion(isDirectory ? .write : sizeEvents(since: last)) }
    if links < last.links, !isDirectory || links == 0 {
      events.formUnion([.delete, .link])
    } else if links != last.links {
      events.insert(.link)
    } else if (mode, owner, group) != (last.mode, last.owner, last.group)
      || changed != last.changed && !isModified
    {
      events.insert(.attrib)
    }
    if let place, let former = last.place, place != former { events.insert(.rename) }
    return events
  }
}
