import FileCopy

/// The standard descriptors 0 to 2, which opened files must not reuse.
enum StandardDescriptors {
  /// Opens the closed ones on `/dev/null`, in a mode in which using them is still an error.
  ///
  /// It must be called before any other file is opened.
  static func fill() {
    for number in Int32(0)...2 {
      do throws(SystemError) {
        _ = try BorrowedDescriptor(rawValue: number).statusFlags()
      } catch {
        // The kernel assigns the lowest free number, and all lower ones are in use.
        let flags: OpenFlags = number == 0 ? .writeOnly : .readOnly
        guard let file = try? BorrowedDescriptor.workingDirectory.open("/dev/null", flags) else {
          return
        }
        _ = file.release()
      }
    }
  }
}
