import IOChannelsSystem
import IOChannelsTestSupport

/// The creation and the change of files. New files belong to the user of the run.
extension TrapRun {
  /// Writes a file and creates the missing directories on its path.
  func write(
    _ text: String,
    to name: some BytePathConvertible,
    mode: UInt32 = 0o644
  ) throws {
    try write(Array(text.utf8), to: name, mode: mode)
  }

  /// Writes a file and creates the missing directories on its path.
  func write(
    _ bytes: [UInt8],
    to name: some BytePathConvertible,
    mode: UInt32 = 0o644
  ) throws {
    try create(name.bytePath, mode: mode) { here, name throws(SystemError) in
      let file = try here.open(name, [.writeOnly, .create, .truncate], permissions: 0o600)
      try file.borrowed.writeAll(bytes, at: 0)
    }
  }

  /// Writes bytes into a hole of a file that is otherwise empty and has a given size.
  func write(_ bytes: [UInt8], intoHoleOf name: String, at offset: Int64, size: Int64) throws {
    try create(BytePath(name), mode: 0o644) { here, name throws(SystemError) in
      let file = try here.open(name, [.writeOnly, .create], permissions: 0o600)
      try file.borrowed.setSize(size)
      try file.borrowed.writeAll(bytes, at: offset)
    }
  }

  /// Creates a file with reserved space, and writes bytes into it.
  func reserve(
    _ length: Int64,
    in name: String,
    mode: AllocationMode = [],
    writing bytes: [UInt8] = [],
    at offset: Int64 = 0
  ) throws {
    try create(BytePath(name), mode: 0o644) { here, name throws(SystemError) in
      let file = try here.open(name, [.writeOnly, .create], permissions: 0o600)
      try file.borrowed.allocate(mode, offset: 0, length: length)
      try file.borrowed.writeAll(bytes, at: offset)
    }
  }

  /// Creates a file with the inode number of another file, on a fresh file system in memory.
  ///
  /// Such a file system gives its files the numbers in order.
  func makeFile(_ name: String, withInodeOf other: String) throws {
    guard let inode = inode(of: other) else { throw TestFailure("there is no \(other)") }
    for _ in 0...inode {
      try write("", to: name)
      if self.inode(of: name) == inode { return }
      try remove(name)
    }
    throw TestFailure("no file got the inode number \(inode)")
  }

  /// Creates directories and the missing directories on their paths.
  func makeDirectories(_ names: String..., mode: UInt32 = 0o755) throws {
    for name in names { try makeDirectory(name, mode: mode) }
  }

  /// Creates a directory and the missing directories on its path.
  func makeDirectory(_ name: some BytePathConvertible, mode: UInt32 = 0o755) throws {
    try create(name.bytePath, mode: mode) { here, name throws(SystemError) in
      try here.makeDirectory(name, permissions: 0o700)
    }
  }

  /// Creates nested directories of one name below a new directory.
  ///
  /// Each directory, the first one included, has a file `f` and a link `l` to it.
  func makeNestedDirectories(below root: String, named name: String, depth: Int) throws {
    try makeDirectory(root)
    var directory = try here.open(BytePath(root), .directory)
    for level in 0...depth {
      let here = directory.borrowed
      let file = try here.open("f", [.writeOnly, .create], permissions: 0o644)
      try file.borrowed.writeAll(Array("\(level)\n".utf8), at: 0)
      try here.makeSymbolicLink("l", to: "f")
      for entry: BytePath in ["f", "l"] { try give(entry, in: here) }
      if level == depth { break }
      try here.makeDirectory(BytePath(name), permissions: 0o755)
      try give(BytePath(name), in: here)
      directory = try here.open(BytePath(name), .directory)
    }
  }

  /// Creates a symbolic link and the missing directories on its path.
  func makeLink(_ name: some BytePathConvertible, to target: some BytePathConvertible) throws {
    let target = target.bytePath
    try create(name.bytePath, mode: nil) { here, name throws(SystemError) in
      try here.makeSymbolicLink(name, to: target)
    }
  }

  /// Creates a further name of a file or symbolic link.
  func makeHardLink(_ name: String, to file: String) throws {
    try create(BytePath(name), mode: nil) { here, name throws(SystemError) in
      try here.link(BytePath(file), in: here, as: name)
    }
  }

  func makeFIFO(_ name: String, mode: UInt32 = 0o644) throws {
    try makeSpecialFile(name, type: 0o010000, mode: mode)
  }

  func makeSocket(_ name: String, mode: UInt32 = 0o755) throws {
    try makeSpecialFile(name, type: 0o140000, mode: mode)
  }

  func makeCharacterDevice(_ name: String, _ major: UInt64, _ minor: UInt64, mode: UInt32) throws {
    try makeSpecialFile(name, type: 0o020000, mode: mode, device: major << 8 | minor)
  }

  func makeBlockDevice(_ name: String, _ major: UInt64, _ minor: UInt64, mode: UInt32) throws {
    try makeSpecialFile(name, type: 0o060000, mode: mode, device: major << 8 | minor)
  }

  private func makeSpecialFile(
    _ name: String,
    type: UInt32,
    mode: UInt32,
    device: UInt64 = 0
  ) throws {
    try create(BytePath(name), mode: mode) { here, name throws(SystemError) in
      try here.makeSpecialFile(name, mode: type | 0o600, device: device)
    }
  }

  func rename(_ name: String, to newName: String) throws {
    try here.rename(BytePath(name), to: BytePath(newName), replacing: false)
  }

  /// Removes a name if it exists.
  func remove(_ name: String) throws {
    do throws(SystemError) {
      try here.remove(BytePath(name))
    } catch {
      guard error == .noSuchFileOrDirectory else { throw error }
    }
  }

  func setSize(_ size: Int64, of name: String) throws {
    let file = try here.open(BytePath(name), .writeOnly)
    try file.borrowed.setSize(size)
  }

  /// Flushes a file, so that its blocks have places on the disk.
  func flush(_ name: String) throws { try runSuccessfully(["sync", name], directory: path) }

  /// Creates a file on an existing or new path, and gives it to the user.
  private func create(
    _ name: BytePath,
    mode: UInt32?,
    _ creation: (BorrowedDescriptor, BytePath) throws(SystemError) -> Void
  ) throws {
    var parent = BytePath("")
    for part in name.bytes.split(separator: UInt8(ascii: "/")).dropLast() {
      parent = parent.appending(BytePath(bytes: part))
      if status(of: parent, following: true) == nil { try makeDirectory(parent) }
    }
    do throws(SystemError) {
      try creation(here, name)
      try give(name, in: here, mode: mode)
    } catch {
      throw TestFailure("\(name): \(error)")
    }
  }

  /// Gives a file to the user, with a mode if there is one.
  func give(_ name: String, mode: UInt32) throws {
    try give(BytePath(name), in: here, mode: mode)
  }

  private func give(
    _ name: BytePath,
    in here: BorrowedDescriptor,
    mode: UInt32? = nil
  ) throws(SystemError) {
    let handle = try here.open(name, [.path, .noFollow])
    try handle.borrowed.setOwnerOfHandle(user.identifier, group: user.identifier)
    if let mode { try handle.borrowed.setPermissionsOfHandle(mode) }
  }
}

extension BorrowedDescriptor {
  /// Writes all bytes from an offset on.
  fileprivate func writeAll(_ bytes: [UInt8], at offset: Int64) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      done += try write(bytes, done..<bytes.count, at: offset + Int64(done))
    }
  }
}
