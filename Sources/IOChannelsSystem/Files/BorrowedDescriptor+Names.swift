internal import CIOChannelsSystem

/// Calls on a name inside a directory.
///
/// The descriptor is that of a directory or ``workingDirectory``. Names are passed to the kernel
/// unchanged. A name of one component is resolved inside the open directory and nowhere else.
extension BorrowedDescriptor {
  /// Opens a name.
  ///
  /// A created file has `permissions` without the bits of the process's umask.
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

  /// Opens a name like `open(_:_:permissions:)`, but with a single call.
  ///
  /// - Throws: `EINTR` if a signal interrupts the call.
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

  /// Opens the file of a descriptor again, with other flags.
  ///
  /// - Throws: `ENOENT` without `/proc`, `EACCES` if the flags are not permitted on the file.
  package func reopen(_ flags: OpenFlags) throws(SystemError) -> OwnedDescriptor {
    try BorrowedDescriptor.workingDirectory.open(
      BytePath("/proc/thread-self/fd/\(rawValue)"),
      flags
    )
  }

  /// Returns the status of a name, or of the target of a symbolic link if `following` is set.
  package func status(of name: BytePath, following: Bool = false) throws(SystemError) -> FileStatus
  {
    try unsafe name.withName { name throws(SystemError) in
      try unsafe csys_fstatat(rawValue, name, following ? 0 : 0x100).get()
    }
  }

  /// Returns the number of the mount that a name belongs to, or the open file if it is empty.
  ///
  /// A bind mount has another number than the mount that it is taken from, but the same device.
  /// Links are not followed.
  ///
  /// - Throws: `ENOSYS` if the kernel does not report it.
  package func mountNumber(of name: BytePath = "") throws(SystemError) -> Int64 {
    let number = try unsafe name.withName { name throws(SystemError) in
      try unsafe csys_mount(rawValue, name).get()
    }
    return Int64(number)
  }

  /// Creates a directory.
  package func makeDirectory(_ name: BytePath, permissions: UInt32) throws(SystemError) {
    _ = try unsafe name.withName { name throws(SystemError) in
      try unsafe csys_mkdirat(rawValue, name, permissions).get()
    }
  }

  /// Creates a FIFO, socket, device or empty file, depending on the type bits of `mode`.
  package func makeSpecialFile(
    _ name: BytePath,
    mode: UInt32,
    device: UInt64
  ) throws(SystemError) {
    _ = try unsafe name.withName { name throws(SystemError) in
      try unsafe csys_mknodat(rawValue, name, mode, device).get()
    }
  }

  /// Creates a symbolic link to `target`.
  package func makeSymbolicLink(_ name: BytePath, to target: BytePath) throws(SystemError) {
    _ = try unsafe name.withName { name throws(SystemError) in
      try unsafe target.withName { target throws(SystemError) in
        try unsafe csys_symlinkat(target, rawValue, name).get()
      }
    }
  }

  /// Returns the target of a symbolic link, at most its first 64 KiB.
  ///
  /// `length` is the expected length.
  package func target(ofLink name: BytePath, length: Int) throws(SystemError) -> BytePath {
    var capacity = Swift.min(Swift.max(length, 0), (1 << 16) - 1) + 1
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
      // A full buffer may hold a truncated target.
      if count < capacity || capacity == 1 << 16 { return BytePath(bytes: bytes[..<count]) }
      capacity = Swift.min(capacity * 4, 1 << 16)
    }
  }

  /// Whether the process may write to the file of a name, symbolic links followed.
  package func mayWrite(to name: BytePath) -> Bool {
    let answer = try? unsafe name.withName { name throws(SystemError) in
      try unsafe csys_may_write(rawValue, name).get()
    }
    return answer != nil
  }

  /// Creates a hard link to a file, or to the target of a symbolic link if `following` is set.
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

  /// Creates a hard link to an open file, which may have been opened without a name.
  ///
  /// Needs `/proc`.
  package func link(_ file: BorrowedDescriptor, as name: BytePath) throws(SystemError) {
    _ = try unsafe name.withName { name throws(SystemError) in
      try unsafe csys_link_descriptor(file.rawValue, rawValue, name).get()
    }
  }

  /// Renames a file of this directory inside it or to another directory, and replaces an existing
  /// file if `replacing` is set.
  package func rename(
    _ oldName: BytePath,
    to name: BytePath,
    in directory: BorrowedDescriptor? = nil,
    replacing: Bool
  ) throws(SystemError) {
    let flags = replacing ? 0 : csys_rename_noreplace
    let target = directory ?? self
    _ = try unsafe name.withName { name throws(SystemError) in
      try unsafe oldName.withName { oldName throws(SystemError) in
        try unsafe csys_renameat2(rawValue, oldName, target.rawValue, name, flags).get()
      }
    }
  }

  /// Removes a name that is not a directory's (`unlinkat`).
  package func remove(_ name: BytePath) throws(SystemError) {
    _ = try unsafe name.withName { name throws(SystemError) in
      try unsafe csys_unlinkat(rawValue, name, 0).get()
    }
  }

  /// Removes an empty directory (`unlinkat` with `AT_REMOVEDIR`).
  package func removeDirectory(_ name: BytePath) throws(SystemError) {
    _ = try unsafe name.withName { name throws(SystemError) in
      try unsafe csys_unlinkat(rawValue, name, 0x200).get()
    }
  }
}

extension BytePath {
  /// Calls a closure with the bytes and their terminating zero.
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
