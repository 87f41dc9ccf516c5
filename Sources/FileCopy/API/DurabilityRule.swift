/// The time at which copies are flushed to disk.
public enum DurabilityRule: Sendable, Hashable {
  /// After the copy, whenever the kernel writes them.
  case automatic
  /// At the end of the copy, all of them together.
  case atEnd
  /// Before each file counts as complete.
  ///
  /// The contents are flushed before the file gets its name, and the name before the file is
  /// reported. This implies ``CopyOptions/isAtomic``. Directories, links and special files are
  /// flushed at the end.
  case everyFile
}
