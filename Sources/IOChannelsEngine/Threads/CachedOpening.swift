internal import IOChannelsLocks
package import IOChannelsSystem
import Synchronization

/// A file that was opened on the calling thread.
package struct CachedFile: Sendable {
  /// The open descriptor, which belongs to the receiver.
  package let descriptor: BorrowedDescriptor
  package let traits: DescriptorTraits
  package let size: Int
}

/// The opening and closing of regular files on the calling thread, where neither waits.
///
/// That is so for a path in the kernel's cache of names, and on file systems of this system. A
/// server, as of FUSE or NFS, could take any time to answer.
final class CachedOpening: Sendable {
  /// The maximum number of mounts that are stored.
  private static let limit = 64
  /// The flags that neither create nor change anything, and that no kind of file obeys by waiting.
  private static let harmless: OpenFlags = [.noFollow, .noTerminal]

  /// The kinds of file systems of this system, by the numbers of their mounts.
  private let mounts = BargingLock<[UInt64: FileSystemKind]>([:])
  private let isSupported = Atomic<Bool>(true)

  /// Whether a file that is opened with some flags can be opened or closed here.
  static func allows(_ flags: OpenFlags) -> Bool { flags.isSubset(of: harmless) }

  /// Opens a regular file.
  ///
  /// - Returns: The file; nil if a request has to open it, which also finds the errors.
  func open(_ path: BytePath, _ flags: OpenFlags) -> CachedFile? {
    guard CachedOpening.allows(flags), isSupported.load(ordering: .relaxed) else { return nil }
    let directory = BorrowedDescriptor.workingDirectory
    do throws(SystemError) {
      // An opening of a FIFO or a device has effects. A handle shows what the name leads to.
      let handle = try directory.openCached(path, flags.intersection(.noFollow).union(.path))
      let (expected, mount) = try handle.borrowed.cachedStatus()
      guard expected.kind == .regular, let mount, let kind = mounts.withLock({ $0[mount] }) else {
        return nil
      }
      let file = try directory.openCached(path, flags)
      let status = try file.borrowed.cachedStatus().status
      // The name may lead to another file meanwhile.
      guard status.identity == expected.identity else { return nil }
      let traits = DescriptorTraits(
        kind: .seekable,
        fileSystem: kind,
        device: status.identity.device
      )
      let descriptor = BorrowedDescriptor(rawValue: file.release())
      return CachedFile(descriptor: descriptor, traits: traits, size: Int(status.size))
    } catch {
      switch error {
      case .noFunction, .invalidArgument, .notPermitted:
        // An older kernel, or a sandbox.
        isSupported.store(false, ordering: .relaxed)
      default: break
      }
      return nil
    }
  }

  /// Records the mount of a file that a request has opened.
  func learn(_ file: BorrowedDescriptor, _ traits: DescriptorTraits) {
    guard traits.kind == .seekable, traits.fileSystem.isTrustedOnRing,
      isSupported.load(ordering: .relaxed), let mount = try? file.cachedStatus().mount
    else { return }
    mounts.withLock { mounts in
      if mounts.count >= CachedOpening.limit { mounts.removeAll() }
      mounts[mount] = traits.fileSystem
    }
  }

  /// Closes a regular file that was opened for reading only.
  ///
  /// - Returns: False if a request has to close it, because its last name was removed. Its blocks
  ///   are then freed, which may take long.
  func close(_ file: BorrowedDescriptor, _ traits: DescriptorTraits) -> Bool {
    guard traits.kind == .seekable, traits.fileSystem.isTrustedOnRing,
      let status = try? file.cachedStatus().status, status.kind == .regular, status.links > 0
    else { return false }
    _ = OwnedDescriptor(owning: file.rawValue)
    return true
  }
}
