internal import CIOChannelsSystem

/// Extended attributes of open files and of handles, which may refer to symbolic links.
///
/// Handles (`OpenFlags.path`) need `/proc`, or the superuser and Linux 6.13. Otherwise all calls
/// throw `EBADF`.
extension BorrowedDescriptor {
  /// The number of attempts to read a list or value that grows between two calls.
  private static var readAttempts: Int { 8 }

  /// Returns the names of all attributes, none if the file system does not support attributes.
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

  /// Returns the value of an attribute.
  ///
  /// - Throws: `ENODATA` if there is no such attribute.
  package func attribute(_ name: BytePath) throws(SystemError) -> [UInt8] {
    try unsafe name.withName { name throws(SystemError) in
      try unsafe readAttribute { fd, isHandle, bytes, count in
        unsafe csys_attribute(fd, isHandle, name, bytes, count)
      }
    }
  }

  /// Creates or replaces an attribute.
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
  /// - Throws: `ENODATA` if there is no such attribute.
  package func removeAttribute(_ name: BytePath) throws(SystemError) {
    _ = try unsafe name.withName { name throws(SystemError) in
      try asFileOrHandle { fd, isHandle in unsafe csys_remove_attribute(fd, isHandle, name) }
    }
  }

  /// Queries the length, allocates a buffer and reads into it.
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
        // Another process made the value longer in between.
      }
    }
    throw .resultTooLarge
  }

  /// Makes a call for an open file and, if the descriptor is a handle, for a handle.
  private func asFileOrHandle(_ call: (Int32, Int32) -> csys_result) throws(SystemError) -> Int {
    do throws(SystemError) {
      return Int(try call(rawValue, 0).get())
    } catch .badFileDescriptor {
      return Int(try call(rawValue, 1).get())
    }
  }
}

extension SystemError {
  /// The buffer is too small for a list or value (`ERANGE`).
  static let resultTooLarge = SystemError(rawValue: 34)
}
