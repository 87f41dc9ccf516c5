internal import CIOChannelsSystem

/// What the process may do with files.
package enum ProcessLimits {
  /// How many descriptors the process may have open.
  package static var descriptors: Int { (try? csys_descriptor_limit().get()) ?? 1024 }

  /// Whether a file that was opened without a name can be given one, which goes through `/proc`.
  package static var canNameOpenFiles: Bool {
    (try? BorrowedDescriptor.workingDirectory.status(of: "/proc/thread-self/fd")) != nil
  }

  /// Whether the process acts as the superuser.
  package static var isSuperuser: Bool { csys_effective_user() == 0 }

  /// The permission bits that new files of this process do not get.
  ///
  /// Asked of `/proc`, for the call that tells the mask also changes it, for all threads. Without
  /// `/proc` a thread that has a mask of its own makes that call. Where there can be no such thread
  /// the answer is the narrowest mask: a file is never open to more people than it may be.
  package static var creationMask: UInt32 {
    if let mask = maskInProc { return mask }
    return (try? csys_creation_mask().get()).map { UInt32($0) } ?? 0o077
  }

  private static var maskInProc: UInt32? {
    guard let file = try? BorrowedDescriptor.workingDirectory.open("/proc/self/status", .readOnly)
    else { return nil }
    var text = [UInt8](repeating: 0, count: 512)
    guard let count = try? file.borrowed.read(into: &text) else { return nil }
    for line in text[..<count].split(separator: UInt8(ascii: "\n"))
    where line.starts(with: "Umask:".utf8) {
      let digits = line.drop { !(UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) }
      return UInt32(String(decoding: digits, as: UTF8.self), radix: 8)
    }
    return nil
  }
}
