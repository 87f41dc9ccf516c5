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
///
/// A thread may still wait a moment: for the blocks of a small file that another process has just
/// rewritten or removed, or for a program that decides about openings.
final class CachedOpening: Sendable {
  /// The maximum length of a file that is closed here.
  ///
  /// The first closing of a file that was truncated and rewritten begins to write back its blocks.
  private static let maximumLength: Int64 = 1 << 20
  /// The maximum number of mounts that are stored.
  private static let limit = 64
  /// The flags that neither create nor change anything, and that no kind of file obeys by waiting.
  private static let harmless: OpenFlags = [.noFollow, .noTerminal]

  /// The kinds of file systems of this system, by the numbers of their mounts.
  private let mounts = BargingLock<[UInt64: FileSystemKind]>([:])
  private let isSupported = Atomic<Bool>(true)
  private var directory: BorrowedDescriptor { .workingDirectory }

  /// Whether a file that is opened with some flags can be opened or closed here.
  static func allows(_ flags: OpenFlags) -> Bool { flags.isSubset(of: harmless) }

  /// Opens a regular file.
  ///
  /// - Returns: The file; nil if a request has to open it, which also finds the errors.
  func open(_ path: BytePath, _ flags: OpenFlags) -> CachedFile? {
    guard CachedOpening.allows(flags), isSupported.load(ordering: .relaxed) else { return nil }
    do throws(SystemError) {
      guard let (expected, kind) = try examine(path, flags) else { return nil }
      let file = try directory.openCached(path, flags)
      let status = try file.borrowed.cachedStatus().status
      // The name may lead to another file meanwhile.
      guard status.identity == expected else { return nil }
      let traits = DescriptorTraits(
        kind: .seekable,
        fileSystem: kind,
        device: status.identity.device
      )
      let descriptor = BorrowedDescriptor(rawValue: file.release())
      return CachedFile(descriptor: descriptor, traits: traits, size: Int(status.size))
    } catch {
      return nil
    }
  }

  /// Returns the identity of a regular file on a mount that is known, and the kind of its file
  /// system.
  ///
  /// An opening of a FIFO or a device has effects, and a server may take any time to answer. A
  /// handle shows what the name leads to.
  private func examine(
    _ path: BytePath,
    _ flags: OpenFlags
  ) throws(SystemError) -> (FileIdentity, FileSystemKind)? {
    let handle: OwnedDescriptor
    do throws(SystemError) {
      handle = try directory.openCached(path, flags.intersection(.noFollow).union(.path))
    } catch {
      switch error {
      // An older kernel, or a sandbox.
      case .noFunction, .invalidArgument, .notPermitted:
        isSupported.store(false, ordering: .relaxed)
      default: break
      }
      throw error
    }
    let (status, mount) = try handle.borrowed.cachedStatus()
    guard let mount = known(mount), status.kind == .regular,
      let kind = mounts.withLock({ $0[mount] })
    else { return nil }
    return (status.identity, kind)
  }

  /// Returns the number of a mount; nil if the kernel is too old to report one.
  private func known(_ mount: UInt64?) -> UInt64? {
    if mount == nil { isSupported.store(false, ordering: .relaxed) }
    return mount
  }

  /// Records the mount of a file that a request has opened.
  func learn(_ file: BorrowedDescriptor, _ traits: DescriptorTraits) {
    guard traits.kind == .seekable, traits.fileSystem.isTrustedOnRing,
      isSupported.load(ordering: .relaxed), let found = try? file.cachedStatus(),
      let mount = known(found.mount)
    else { return }
    mounts.withLock { mounts in
      if mounts.count >= CachedOpening.limit { mounts.removeAll() }
      mounts[mount] = traits.fileSystem
    }
  }

  /// Closes a regular file that was opened for reading only.
  ///
  /// - Returns: False if a request has to close it, because it is long or its last name was
  ///   removed. Its blocks are then written or freed, which may take long.
  func close(_ file: BorrowedDescriptor, _ traits: DescriptorTraits) -> Bool {
    guard traits.kind == .seekable, traits.fileSystem.isTrustedOnRing,
      let status = try? file.cachedStatus().status, status.kind == .regular, status.links > 0,
      status.size <= CachedOpening.maximumLength
    else { return false }
    _ = OwnedDescriptor(owning: file.rawValue)
    return true
  }
}
