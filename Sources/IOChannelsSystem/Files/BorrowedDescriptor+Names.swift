internal import CIOChannelsSystem

/// Calls on a name inside a directory.
///
/// The descriptor is a directory's or ``workingDirectory``. Names are passed to the kernel as they
/// are; one component is resolved inside the directory that is held and nowhere else.
extension BorrowedDescriptor {
  /// Opens a name; a file that is made gets `permissions` less the process's mask.
  package func open(
    _ name: BytePath,
    _ flags: OpenFlags,
    permissions: UInt32 = 0
  ) throws(SystemError) -> OwnedDescriptor {
    let number = try unsafe name.withName { name throws(SystemError) in
      try uninterrupted {
        unsafe csys_openat(rawValue, name, flags.rawValue | 0o2000000, permissions)
      }
    }
    return OwnedDescriptor(owning: Int32(number))
  }

  /// Opens a name as `open(_:_:permissions:)` does, with one call.
  ///
  /// - Throws: `EINTR` when a signal interrupts the call.
  package func openOnce(
    _ name: BytePath,
    _ flags: OpenFlags,
    permissions: UInt32 = 0
  ) throws(SystemError) -> OwnedDescriptor {
    let number = try unsafe name.withName { name throws(SystemError) in
      try unsafe csys_openat(rawValue, name, flags.rawValue | 0o2000000, permissions).get()
    }
    return OwnedDescriptor(owning: Int32(number))
  }

  /// Opens the file of a descriptor once more, with flags of its own.
  ///
  /// - Throws: `ENOENT` without `/proc`, `EACCES` where the file may not be opened so.
  package func reopen(_ flags: OpenFlags) throws(SystemError) -> OwnedDescriptor {
    try BorrowedDescriptor.workingDirectory.open(
      BytePath("/proc/thread-self/fd/\(rawValue)"),
      flags
    )
  }

  /// The status of a name; with `following` a link stands for what it points to.
  package func status(of name: BytePath, following: Bool = false) throws(SystemError) -> FileStatus
  {
    try unsafe name.withName { name throws(SystemError) in
      try unsafe csys_fstatat(rawValue, name, following ? 0 : 0x100).get()
    }
  }

  /// Makes a directory.
  package func makeDirectory(_ name: BytePath, permissions: UInt32) throws(SystemError) {
    _ = try unsafe name.withName { name throws(SystemError) in
      try unsafe csys_mkdirat(rawValue, name, permissions).get()
    }
  }

  /// Makes a FIFO, socket, device or empty file, as the type bits of `mode` say.
  package func makeSpecialFile(
    _ name: BytePath,
    mode: UInt32,
    device: UInt64
  ) throws(SystemError) {
    _ = try unsafe name.withName { name throws(SystemError) in
      try unsafe csys_mknodat(rawValue, name, mode, device).get()
    }
  }

  /// Makes a symbolic link that holds `target`.
  package func makeSymbolicLink(_ name: BytePath, to target: BytePath) throws(SystemError) {
    _ = try unsafe name.withName { name throws(SystemError) in
      try unsafe target.withName { target throws(SystemError) in
        try unsafe csys_symlinkat(target, rawValue, name).get()
      }
    }
  }

  /// What a symbolic link holds, at most 64 KiB of it; `length` is a guess.
  package func target(ofLink name: BytePath, length: Int) throws(SystemError) -> BytePath {
    var capacity = Swift.min(Swift.max(length, 0) + 1, 1 << 16)
    while true {
      var bytes = [UInt8](repeating: 0, count: capacity)
      let count = try unsafe name.withName { name throws(SystemError) in
        var span = bytes.mutableSpan
        return try unsafe span.withUnsafeMutableBytes { buffer throws(SystemError) in
          try unsafe csys_readlinkat(
            rawValue,
            name,
            buffer.baseAddress?.assumingMemoryBound(to: CChar.self),
            capacity
          ).get()
        }
      }
      // A full buffer may have cut the end off.
      if count < capacity || capacity == 1 << 16 { return BytePath(bytes: bytes[..<count]) }
      capacity = Swift.min(capacity * 4, 1 << 16)
    }
  }

  /// Whether the process may write to what has a name, links followed.
  package func mayWrite(to name: BytePath) -> Bool {
    let answer = try? unsafe name.withName { name throws(SystemError) in
      try unsafe csys_may_write(rawValue, name).get()
    }
    return answer != nil
  }

  /// Gives a file a further name; with `following` a link at the old one stands for its target.
  package func link(
    _ oldName: BytePath,
    in oldDirectory: BorrowedDescriptor,
    as name: BytePath,
    following: Bool = false
  ) throws(SystemError) {
    _ = try unsafe name.withName { name throws(SystemError) in
      try unsafe oldName.withName { oldName throws(SystemError) in
        try unsafe csys_linkat(
          oldDirectory.rawValue,
          oldName,
          rawValue,
          name,
          following ? 0x400 : 0
        ).get()
      }
    }
  }

  /// Gives an open file a name, its first one when it was opened without. Needs `/proc`.
  package func link(_ file: BorrowedDescriptor, as name: BytePath) throws(SystemError) {
    _ = try unsafe name.withName { name throws(SystemError) in
      try unsafe csys_link_descriptor(file.rawValue, rawValue, name).get()
    }
  }

  /// Moves a name inside this directory; with `replacing` a file that has the new name gives way.
  package func rename(
    _ oldName: BytePath,
    to name: BytePath,
    replacing: Bool
  ) throws(SystemError) {
    let flags = replacing ? 0 : csys_rename_noreplace
    _ = try unsafe name.withName { name throws(SystemError) in
      try unsafe oldName.withName { oldName throws(SystemError) in
        try unsafe csys_renameat2(rawValue, oldName, rawValue, name, flags).get()
      }
    }
  }

  /// Removes a name that is not a directory's.
  package func remove(_ name: BytePath) throws(SystemError) {
    _ = try unsafe name.withName { name throws(SystemError) in
      try unsafe csys_unlinkat(rawValue, name, 0).get()
    }
  }
}

extension BytePath {
  /// Lends the bytes with their closing zero to a call.
  @inline(__always)
  func withName<Value>(
    _ body: (UnsafePointer<CChar>) throws(SystemError) -> Value
  ) throws(SystemError) -> Value {
    try unsafe terminated.span.bytes.withUnsafeBytes { bytes throws(SystemError) in
      guard let base = bytes.baseAddress else { throw .invalidArgument }
      return try unsafe body(base.assumingMemoryBound(to: CChar.self))
    }
  }
}
