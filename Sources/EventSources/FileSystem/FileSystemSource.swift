/// A source that reports changes of a file or directory.
///
/// ```swift
/// let source = EventSource.makeFileSystemObjectSource(
///   fileDescriptor: log,
///   eventMask: [.write, .rename, .delete],
///   queue: queue
/// )
/// source.setEventHandler { [weak source] in
///   guard let source else { return }
///   if source.data.isDisjoint(with: [.rename, .delete]) { readNewLines() } else { reopen() }
/// }
/// source.setCancelHandler { close(log) }
/// source.activate()
/// ```
///
/// The descriptor names the file, not its path: the source follows the file through renames and
/// reports changes after its last name was removed (<doc:Rules#S199>). The descriptor may be opened
/// in any way, with `O_PATH` too. It must stay open until the cancel handler runs.
///
/// The kernel must be allowed to read the file for the process. Otherwise the source has no events,
/// and its ``EventSource/registrationError`` is `EACCES`. It is `ENOSPC` or `EMFILE` if the user
/// has too many watches, and `ENOENT` without `/proc` (<doc:Rules#S201>).
///
/// Some changes are not reported (<doc:Rules#S200>): those made through a memory mapping, on other
/// machines, by the program behind a FUSE file system, or in the layers below an overlay.
public final class FileSystemSource: EventSource, @unchecked Sendable {
  private let descriptor: Int32
  private let eventMask: FileSystemEvent

  /// Creates a source for an open file or directory.
  ///
  /// - Precondition: The number is not negative, and the mask is not empty and has no unknown bits.
  public init(fileDescriptor: Int32, eventMask: FileSystemEvent, queue: WorkQueue? = nil) {
    requireUse(
      !eventMask.isEmpty && eventMask.isSubset(of: FileSystemEvent.all.union(.funlock)),
      "The mask of a file-system source has events, and only known ones.",
      "S197"
    )
    descriptor = EventSource.checked(fileDescriptor)
    self.eventMask = eventMask
    let producer = FileSystemProducer(descriptor, eventMask)
    super.init(
      core: SourceCore(
        target: queue,
        merging: .union(mask: eventMask.rawValue),
        producer: producer
      )
    )
  }

  /// The number of the descriptor.
  public var handle: Int32 { descriptor }

  /// The events since the last call of the event handler; empty outside of a call.
  public var data: FileSystemEvent { FileSystemEvent(rawValue: core.data) }

  /// The events that are reported, empty once the source was cancelled.
  public var mask: FileSystemEvent { isCancelled ? [] : eventMask }
}

extension EventSource {
  /// Creates a source that reports changes of a file or directory.
  public static func makeFileSystemObjectSource(
    fileDescriptor: Int32,
    eventMask: FileSystemEvent,
    queue: WorkQueue? = nil
  ) -> FileSystemSource {
    FileSystemSource(fileDescriptor: fileDescriptor, eventMask: eventMask, queue: queue)
  }

  /// Creates a source that owns its descriptor, which its cancel handler closes.
  static func makeFileSystemObjectSource(
    owning descriptor: consuming OwnedDescriptor,
    eventMask: FileSystemEvent,
    queue: WorkQueue? = nil
  ) -> FileSystemSource {
    let number = descriptor.release()
    let source = FileSystemSource(fileDescriptor: number, eventMask: eventMask, queue: queue)
    source.setCancelHandler { _ = OwnedDescriptor(owning: number) }
    return source
  }
}
