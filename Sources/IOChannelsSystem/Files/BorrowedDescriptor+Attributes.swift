internal import CIOChannelsSystem

/// Extended attributes of open files and of handles, those of symbolic links too.
///
/// What is only held, with `OpenFlags.path`, needs `/proc`.
extension BorrowedDescriptor {
  /// How often a list or value that grows meanwhile is read again.
  private static var readAttempts: Int { 8 }

  /// The names of all attributes; empty where the file system knows none.
  package func attributeNames() throws(SystemError) -> [BytePath] {
    do throws(SystemError) {
      let names = try unsafe readAttribute { fd, isHandle, bytes, count in
        unsafe csys_attribute_names(
          fd,
          isHandle,
          bytes?.assumingMemoryBound(to: CChar.self),
          count
        )
      }
      return names.split(separator: 0).map { BytePath(bytes: $0) }
    } catch {
      if error == .notSupported || error == .noFunction { return [] }
      throw error
    }
  }

  /// The value of an attribute.
  ///
  /// - Throws: `ENODATA` when there is no such attribute.
  package func attribute(_ name: BytePath) throws(SystemError) -> [UInt8] {
    try unsafe name.withName { name throws(SystemError) in
      try unsafe readAttribute { fd, isHandle, bytes, count in
        unsafe csys_attribute(fd, isHandle, name, bytes, count)
      }
    }
  }

  /// Sets an attribute, whether it is there or not.
  package func setAttribute(_ name: BytePath, to value: [UInt8]) throws(SystemError) {
    _ = try unsafe name.withName { name throws(SystemError) in
      try unsafe value.span.bytes.withUnsafeBytes { bytes throws(SystemError) in
        try asFileOrHandle { fd, isHandle in
          unsafe csys_set_attribute(fd, isHandle, name, bytes.baseAddress, bytes.count)
        }
      }
    }
  }

  /// Removes an attribute.
  ///
  /// - Throws: `ENODATA` when there is no such attribute.
  package func removeAttribute(_ name: BytePath) throws(SystemError) {
    _ = try unsafe name.withName { name throws(SystemError) in
      try asFileOrHandle { fd, isHandle in unsafe csys_remove_attribute(fd, isHandle, name) }
    }
  }

  /// Asks how long something is, makes room and reads it.
  private func readAttribute(
    _ read: (Int32, Int32, UnsafeMutableRawPointer?, Int) -> csys_result
  ) throws(SystemError) -> [UInt8] {
    for _ in 1...BorrowedDescriptor.readAttempts {
      let length = try asFileOrHandle { read($0, $1, nil, 0) }
      if length == 0 { return [] }
      var bytes = [UInt8](repeating: 0, count: length)
      do throws(SystemError) {
        var span = bytes.mutableSpan
        let count = try unsafe span.withUnsafeMutableBytes { buffer throws(SystemError) in
          try asFileOrHandle { unsafe read($0, $1, buffer.baseAddress, length) }
        }
        return Array(bytes.prefix(count))
      } catch .resultTooLarge {
        // Somebody made it longer.
      }
    }
    throw .resultTooLarge
  }

  /// Makes a call for an open file, and the longer way for what is only held.
  private func asFileOrHandle(_ call: (Int32, Int32) -> csys_result) throws(SystemError) -> Int {
    do throws(SystemError) {
      return Int(try call(rawValue, 0).get())
    } catch .badFileDescriptor {
      return Int(try call(rawValue, 1).get())
    }
  }
}

extension SystemError {
  /// A list or value does not fit (`ERANGE`).
  static let resultTooLarge = SystemError(rawValue: 34)
}
