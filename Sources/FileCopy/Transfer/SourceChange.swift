import IOChannelsSystem

/// The change of a source between its opening and the end of its copy, derived from facts.
enum SourceChange: Equatable {
  /// The source has the copied bytes.
  case none
  /// The modification time changed and the length did not.
  ///
  /// The bytes may have changed, but some file systems invent the time.
  case undecided
  /// The bytes may have changed.
  case changed
  /// The source was truncated, so that the copy is longer.
  case cutOff
  /// The source did not change, but the copy has more bytes. The copy is wrong.
  case tooLong

  /// Compares two statuses of a regular file, of which `count` bytes were copied.
  ///
  /// The time of the last status change is ignored, because a new link, mode or owner does not
  /// change the bytes.
  init(from before: FileStatus, to after: FileStatus, count: Int64) {
    // A generated file has no blocks. Its length is unreliable, and its times mean nothing.
    let isGenerated = before.blocks == 0 && after.blocks == 0
    let saysNothing = isGenerated && before.size == 0 && after.size == 0
    if count > after.size, !saysNothing {
      // A file that was written meanwhile may have been longer for a time.
      let isSame = before.size == after.size && before.modified == after.modified
      self = isSame ? .tooLong : .cutOff
    } else if isGenerated {
      let isEither = count == before.size || count == after.size
      self = before.size == after.size || isEither ? .none : .changed
    } else if before.size != after.size || count < after.size {
      self = .changed
    } else {
      self = before.modified == after.modified ? .none : .undecided
    }
  }
}
