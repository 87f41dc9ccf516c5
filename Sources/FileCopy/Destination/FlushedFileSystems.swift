import IOChannelsEngine
internal import IOChannelsLocks
import IOChannelsSystem

/// The file systems of a destination, which are flushed at the end of the copy, or for each file.
///
/// Each is represented by a file that was opened before the copy wrote to it. The kernel reports a
/// failed write to each file that was open at that time, once, and to no other one.
///
/// There are as many as the destination has mounted file systems.
final class FlushedFileSystems: Sendable {
  /// One file system.
  final class FileSystem: Sendable {
    private let file: OwnedDescriptor?
    /// The open file, or the error of its opening, which is reported instead of a flush.
    private let opened: Result<BorrowedDescriptor, SystemError>
    /// The path of a directory or file on it, for messages.
    let path: BytePath
    /// Whether one flush (`syncfs`) makes the files of all threads durable.
    ///
    /// Another file system may only pass its data to a program or a server.
    let flushesTogether: Bool
    /// Whether a flush of a directory makes all of its names durable, also new links.
    let flushesDirectories: Bool
    /// Whether the disk may keep the last writes of a flush in its own cache, which only the flush
    /// of a file empties.
    let needsBarrier: Bool
    /// Whether a flush makes kept files durable, and new links with the changed files.
    ///
    /// Elsewhere a directory may get a name on the disk before the file gets its number of links,
    /// so that a repair would remove the name.
    let flushesAll: Bool
    /// The flushes that the threads of the copy share.
    let batch = DurableBatch()

    fileprivate init(_ path: BytePath, _ open: () throws(SystemError) -> OwnedDescriptor) {
      self.path = path
      do throws(SystemError) {
        let file = try open()
        opened = .success(file.borrowed)
        let kind = FileSystemKind(of: file.borrowed)
        let hasJournal = kind == .ext4 && Journal.isKnown(of: file.borrowed)
        flushesTogether = kind.flushesTogether
        flushesDirectories = hasJournal || kind == .xfs
        needsBarrier = kind == .ext4 ? !hasJournal : kind == .other
        flushesAll = kind.flushesTogether || kind == .tmpfs
        self.file = consume file
      } catch {
        opened = .failure(error)
        flushesTogether = false
        flushesDirectories = false
        needsBarrier = false
        flushesAll = true
        file = nil
      }
    }

    /// Flushes everything on the file system, and empties the cache of its disk.
    func flush() throws(SystemError) {
      let file = try opened.get()
      try file.synchronizeFileSystem()
      if !needsBarrier { return }
      do throws(SystemError) {
        try file.synchronize(dataOnly: false)
      } catch {
        // Some file systems have no flush of directories.
        if !error.isRefusal { throw error }
      }
    }
  }

  private let known = BargingLock<[UInt64: FileSystem]>([:])

  /// Adds the file system of an open directory, unless it is known.
  ///
  /// The descriptor may be a mere handle, which cannot be flushed.
  func add(
    directory: BorrowedDescriptor,
    on device: UInt64,
    _ path: @autoclosure () -> BytePath
  ) {
    if self[device] != nil { return }
    add(
      FileSystem(path()) { () throws(SystemError) in
        try FlushedFileSystems.open(directory)
      },
      device
    )
  }

  /// Opens a file that can be flushed in place of a directory that may be a mere handle.
  private static func open(_ directory: BorrowedDescriptor) throws(SystemError) -> OwnedDescriptor {
    do throws(SystemError) {
      return try directory.open(".", [.readOnly, .directory])
    } catch {
      // Files can be created in a directory that cannot be read. An unnamed one does as well.
      guard error == .permissionDenied,
        let file = try? directory.open(".", [.writeOnly, .unnamed], permissions: 0o600)
      else { throw error }
      return file
    }
  }

  /// Adds the file system of a file that was opened for writing, unless it is known.
  func add(file: BorrowedDescriptor, on device: UInt64, _ path: @autoclosure () -> BytePath) {
    if self[device] != nil { return }
    add(FileSystem(path()) { () throws(SystemError) in try file.duplicate() }, device)
  }

  private func add(_ fileSystem: FileSystem, _ device: UInt64) {
    // Another thread may have been faster. Its file was opened before either of them writes.
    known.withLock { known in known[device] = known[device] ?? fileSystem }
  }

  /// The file system of a device; nil if it is not known.
  subscript(device: UInt64) -> FileSystem? { known.withLock { $0[device] } }

  /// Flushes all file systems, and calls a closure with each path and error.
  func flush(_ report: (BytePath, SystemError) -> Void) {
    for fileSystem in known.withLock({ Array($0.values) }) {
      do throws(SystemError) {
        try fileSystem.flush()
      } catch {
        report(fileSystem.path, error)
      }
    }
  }
}

extension FileSystemKind {
  /// Whether a flush of the file system writes all of its files and reports failed writes.
  fileprivate var flushesTogether: Bool {
    switch self {
    case .ext4, .xfs, .btrfs: true
    case .tmpfs, .fuse, .other: false
    }
  }
}
