import IOChannelsSystem
import IOChannelsTestSupport

/// Changes of modes, owners, times, attributes and access lists. Links are not followed.
extension TrapRun {
  func setMode(_ mode: UInt32, of names: String...) throws {
    for name in names {
      try change(name) { file throws(SystemError) in try file.setPermissionsOfHandle(mode) }
    }
  }

  /// Sets the owner and the group, which clears set-ID bits.
  func setOwner(_ user: UInt32, _ group: UInt32, of names: String...) throws {
    for name in names {
      try change(name) { file throws(SystemError) in
        try file.setOwnerOfHandle(user, group: group)
      }
    }
  }

  /// Sets the access time and the modification time, in seconds since 1970.
  func setTime(_ seconds: Int64, nanoseconds: UInt32 = 0, of names: String...) throws {
    let time = FileTime(seconds: seconds, nanoseconds: nanoseconds)
    for name in names {
      try change(name) { file throws(SystemError) in
        try file.setTimesOfHandle(accessed: time, modified: time)
      }
    }
  }

  func setAttribute(_ attribute: String, to value: String, of name: String) throws {
    try setAttribute(attribute, to: Array(value.utf8), of: name)
  }

  func setAttribute(_ attribute: String, to value: [UInt8], of name: String) throws {
    try change(name) { file throws(SystemError) in
      try file.setAttribute(BytePath(attribute), to: value)
    }
  }

  /// Adds entries to the access list of a file.
  func addAccess(_ entries: String, to name: String) throws {
    try runSuccessfully(["setfacl", "-m", entries, name], directory: path)
  }

  /// Adds entries to the list that new files of a directory get.
  func addDefaultAccess(_ entries: String, to directory: String) throws {
    try runSuccessfully(["setfacl", "-d", "-m", entries, directory], directory: path)
  }

  private func change(
    _ name: String,
    _ change: (BorrowedDescriptor) throws(SystemError) -> Void
  ) throws {
    do throws(SystemError) {
      let handle = try here.open(BytePath(name), [.path, .noFollow])
      try change(handle.borrowed)
    } catch {
      throw TestFailure("\(name): \(error)")
    }
  }
}
