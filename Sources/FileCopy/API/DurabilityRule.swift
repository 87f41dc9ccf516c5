/// The time at which copies are flushed to disk.
public enum DurabilityRule: Sendable, Hashable {
  /// After the copy, whenever the kernel writes them.
  case automatic
  /// At the end of the copy, all of them together.
  case atEnd
}
