import FileCopy

/// The descriptors 0 to 2, which the program's files must not get.
enum StandardDescriptors {
  /// Opens those that are closed, in a way that makes their use an error as before.
  ///
  /// Call it before anything else is opened.
  static func fill() {
    for number in Int32(0)...2 {
      do throws(Errno) {
        _ = try BorrowedDescriptor(rawValue: number).statusFlags()
      } catch {
        // The lowest number that is free is taken, and those below are taken already.
        let flags: OpenFlags = number == 0 ? .writeOnly : .readOnly
        guard let file = try? BorrowedDescriptor.workingDirectory.open("/dev/null", flags) else {
          return
        }
        _ = file.release()
      }
    }
  }
}
