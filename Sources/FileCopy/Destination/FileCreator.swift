import IOChannelsSystem

/// A creator of files that only their owner can use until they are complete.
struct FileCreator: Sendable {
  let context: CopyContext
  /// The access with which destinations are opened. A file that is verified or listed in a
  /// manifest, or whose copy may be continued, is also read.
  let access: OpenFlags

  /// The mode of a new file until it is complete.
  static let closedMode: UInt32 = 0o600

  init(_ context: CopyContext) {
    self.context = context
    let options = context.options
    let isRead =
      options.contents.verifies || options.existing.resumes || options.manifest != nil
    access = isRead ? .readWrite : .writeOnly
  }

  /// Creates a file with a name that must not exist.
  ///
  /// Where the file system refuses or ignores changes of modes, the file has `mode` less the mask
  /// from the start, as with cp. The first file on a file system shows whether it does: the copy
  /// closes it to others while it is empty.
  func create(
    _ name: DestinationFile.Name,
    _ item: CopyItem,
    _ mode: UInt32
  ) throws(SystemError) -> DestinationFile {
    let target = try createClosed(name, item, mode)
    // The directory of another user may pass on a list, and the file has its final mode.
    if target.keepsMode, context.options.metadata.preserved.contains(.mode), !item.control.isOwned {
      try? target.file.dropAccessList()
    }
    return target
  }

  private func open(
    _ name: DestinationFile.Name,
    _ item: CopyItem,
    _ mode: UInt32
  ) throws(SystemError) -> OwnedDescriptor {
    let directory = item.pair.destination
    let new = access.union([.create, .exclusive, .noFollow])
    switch name {
    case .unnamed: return try directory.open(".", access.union(.unnamed), permissions: mode)
    case .temporary(let name): return try directory.open(name, new, permissions: mode)
    case .final, .kept:
      return try directory.open(item.job.destinationName, new, permissions: mode)
    }
  }

  private func createClosed(
    _ name: DestinationFile.Name,
    _ item: CopyItem,
    _ mode: UInt32
  ) throws(SystemError) -> DestinationFile {
    let closed = FileCreator.closedMode
    let setsModes = item.destinationSystem.withAnswers { $0.setsModes }
    let file = try open(name, item, setsModes ?? false ? closed : mode)
    var target = DestinationFile(file, name)
    target.keepsMode = setsModes == false
    guard setsModes == nil, mode != closed,
      let created = try? target.file.status().permissions, created != closed
    else { return target }
    do throws(SystemError) {
      try target.file.setPermissions(closed)
      target.keepsMode = try target.file.status().permissions & 0o777 != closed
      // A file system that changes only some of the bits gets the former mode back.
      if target.keepsMode {
        try target.file.setPermissions(created)
      }
    } catch {
      // The last change of the mode reports any other error.
      if !error.isRefusal { return target }
      target.keepsMode = true
    }
    let keepsMode = target.keepsMode
    item.destinationSystem.withAnswers { $0.setsModes = !keepsMode }
    return target
  }
}
