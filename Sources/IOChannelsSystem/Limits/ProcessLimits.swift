internal import CIOChannelsSystem
import Synchronization

/// The limits and rights of the process.
package enum ProcessLimits {
  /// The most descriptors that the process may have open.
  package static var descriptors: Int { (try? csys_descriptor_limit().get()) ?? 1024 }

  /// Whether a file without a name can be linked to a name, for which `/proc` is needed.
  package static var canNameOpenFiles: Bool {
    (try? BorrowedDescriptor.workingDirectory.status(of: "/proc/thread-self/fd")) != nil
  }

  /// Whether the process runs as the superuser.
  package static var isSuperuser: Bool { effectiveUser == 0 }

  /// Whether the superuser runs the process and may write to files regardless of their permissions.
  ///
  /// A container may lack that capability (`CAP_DAC_OVERRIDE`).
  package static var ignoresPermissions: Bool {
    isSuperuser && ((try? csys_overrides_permissions().get()) ?? 1) != 0
  }

  /// The number of the user whose rights the process has.
  package static var effectiveUser: UInt32 { csys_effective_user() }

  /// The umask: the permission bits that new files of this process do not get.
  ///
  /// It is read from `/proc`, because `umask` changes the mask for all threads. Without `/proc` a
  /// thread with a mask of its own calls `umask`. If no such thread can start, the result is the
  /// most restrictive mask, so that no file is readable to too many users.
  package static var creationMask: UInt32 {
    let noted = notedMask.load(ordering: .relaxed)
    if noted != .max { return noted }
    if let mask = maskInProc { return mask }
    return (try? csys_creation_mask().get()).map { UInt32($0) } ?? 0o077
  }

  /// Reads the mask by `umask`, and keeps it. The process must have one thread only, and must not
  /// change the mask any more.
  package static func noteCreationMask() {
    notedMask.store(csys_change_creation_mask(0o077), ordering: .relaxed)
    _ = csys_change_creation_mask(notedMask.load(ordering: .relaxed))
  }

  private static let notedMask = Atomic<UInt32>(.max)

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
