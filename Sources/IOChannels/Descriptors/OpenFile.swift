import RequestEngine
import SystemCalls

/// An open descriptor with what was found out about it.
struct OpenFile: Sendable {
  let descriptor: BorrowedDescriptor
  let traits: DescriptorTraits
  /// How long the file was when it was looked at: good enough to plan reads.
  let size: Int
  /// Where the offsets of a random channel count from.
  var base: Int64 = 0
  /// Whether no other operation was under way when the one that has this began.
  var isUnshared = false
}

/// What a look at a descriptor or path for a channel has found.
struct Examination: Sendable {
  /// The open file, nil for one that is still to be opened.
  let file: OpenFile?
  /// Whether reads and writes of streams share a position.
  let hasPosition: Bool
}
