import IOChannelsSystem

extension Tree {
  /// Creates the files in an empty directory.
  ///
  /// Modes, owners and times are set last, those of a directory after its contents.
  func create(in path: String) throws {
    let place = try BorrowedDescriptor.workingDirectory.open(BytePath(path), [.directory])
    for entry in entries { try entry.create(in: place.borrowed) }
    for entry in entries.reversed() { try entry.describe(in: place.borrowed) }
  }
}

extension Tree.Entry {
  fileprivate func create(in place: BorrowedDescriptor) throws(SystemError) {
    let name = BytePath(path)
    switch kind {
    case .directory: try place.makeDirectory(name, permissions: 0o700)
    case .file(let text, let length):
      let file = try place.open(name, [.writeOnly, .create, .exclusive], permissions: 0o600)
      let bytes = Array(text.utf8)
      var written = 0
      while written < bytes.count {
        written += try file.borrowed.write(bytes, written..<bytes.count)
      }
      try file.borrowed.setSize(Int64(length))
    case .symbolicLink(let target): try place.makeSymbolicLink(name, to: BytePath(target))
    case .hardLink(let other): try place.link(BytePath(other), in: place, as: name)
    case .fifo: try place.makeSpecialFile(name, mode: 0o010600, device: 0)
    }
  }

  fileprivate func describe(in place: BorrowedDescriptor) throws(SystemError) {
    // A further name has the metadata of the first one.
    if case .hardLink = kind { return }
    let handle = try place.open(BytePath(path), [.path, .noFollow])
    try handle.borrowed.setOwnerOfHandle(owner, group: owner)
    var isLink = false
    if case .symbolicLink = kind { isLink = true }
    if !isLink { try handle.borrowed.setPermissionsOfHandle(mode) }
    let time = FileTime(seconds: time, nanoseconds: 0)
    try handle.borrowed.setTimesOfHandle(accessed: time, modified: time)
  }
}
