internal import CIOChannelsSystem

/// The changes of a file that the kernel reports (`inotify`).
package struct FileNotices: OptionSet, Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// A change of the content or the size.
  package static let modified = Self(rawValue: CSYS_IN_MODIFY)
  /// A change of the attributes or the number of links.
  package static let attributes = Self(rawValue: CSYS_IN_ATTRIB)
  /// A move of a name out of the directory.
  package static let movedFrom = Self(rawValue: CSYS_IN_MOVED_FROM)
  /// A move of a name into the directory.
  package static let movedTo = Self(rawValue: CSYS_IN_MOVED_TO)
  /// The creation of a name in the directory.
  package static let created = Self(rawValue: CSYS_IN_CREATE)
  /// The removal of a name from the directory.
  package static let removed = Self(rawValue: CSYS_IN_DELETE)
  /// The deletion of the file: its last name or descriptor is gone.
  package static let selfRemoved = Self(rawValue: CSYS_IN_DELETE_SELF)
  /// A rename of the file itself.
  package static let selfMoved = Self(rawValue: CSYS_IN_MOVE_SELF)
  /// An unmount of the file system; always reported.
  package static let unmounted = Self(rawValue: CSYS_IN_UNMOUNT)
  /// An overflow of the queue, which lost reports; always reported.
  package static let overflow = Self(rawValue: CSYS_IN_Q_OVERFLOW)
  /// The end of the watch; always reported.
  package static let ended = Self(rawValue: CSYS_IN_IGNORED)
  /// The mark of a report about the name of a directory.
  package static let directory = Self(rawValue: CSYS_IN_ISDIR)
}

/// An `inotify` instance: the kernel's queue of reports of file changes.
package struct NotificationQueue: ~Copyable, Sendable {
  private let descriptor: OwnedDescriptor

  /// The descriptor, which is readable while there are reports.
  ///
  /// A read returns complete records.
  package var borrowed: BorrowedDescriptor { descriptor.borrowed }

  /// Creates an empty queue.
  ///
  /// - Throws: `EMFILE` if the user or the process has too many.
  package init() throws(SystemError) {
    descriptor = OwnedDescriptor(owning: Int32(try csys_inotify_create().get()))
  }

  /// Watches the file of a descriptor, of any kind and opened in any way.
  ///
  /// - Parameters:
  ///   - target: The descriptor.
  ///   - notices: The changes to report.
  ///   - keeping: Whether an existing watch of the file continues to report its changes, too.
  /// - Returns: The number of the watch, the same for each descriptor of the file.
  /// - Throws: `EACCES` if the process may not read the file, `ENOSPC` if the user has too many
  ///   watches, `ENOENT` if the descriptor is not open or there is no `/proc`.
  package func add(
    _ target: BorrowedDescriptor,
    for notices: FileNotices,
    keeping: Bool
  ) throws(SystemError) -> Int32 {
    let mask = notices.rawValue | (keeping ? CSYS_IN_MASK_ADD : 0)
    return Int32(try csys_inotify_add(descriptor.rawValue, target.rawValue, mask).get())
  }

  /// Ends a watch, if it has not ended.
  package func remove(_ watch: Int32) {
    _ = csys_inotify_remove(descriptor.rawValue, watch)
  }
}
