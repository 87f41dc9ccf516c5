import IOChannelsSystem

extension BorrowedDescriptor {
  /// Reads the rest of a file, from the file position to the end.
  ///
  /// - Throws: The error of the read; `EFBIG` if the rest has more than `limit` bytes.
  package func readToEnd(limit: Int = .max) throws(SystemError) -> [UInt8] {
    var contents: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      let count = try read(into: &buffer)
      if count == 0 { return contents }
      if count > limit - contents.count { throw .fileTooLarge }
      contents += buffer[..<count]
    }
  }
}
