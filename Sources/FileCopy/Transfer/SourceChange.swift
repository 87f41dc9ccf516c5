import IOChannelsSystem

/// What happened to a source between its opening and the end of its copy, as far as facts tell.
enum SourceChange: Equatable {
  /// Its bytes are the copied ones.
  case none
  /// The time of writing moved and the length did not. The bytes may have changed, but there are
  /// file systems that make the time up.
  case undecided
  /// Its bytes may have changed.
  case changed
  /// It was cut off behind bytes that were copied: the copy is longer than it.
  case cutOff
  /// It did not change, and more bytes were copied than it has: the copy is wrong.
  case tooLong

  /// Compares two descriptions of a regular file, of which `count` bytes were copied.
  ///
  /// The time of the last change of anything else does not count: a further name, another mode or
  /// owner is no change of the bytes.
  init(from before: FileStatus, to after: FileStatus, count: Int64) {
    // The length of a generated file says little, and its times nothing: it has no blocks.
    let isGenerated = before.blocks == 0 && after.blocks == 0
    let saysNothing = isGenerated && before.size == 0 && after.size == 0
    if count > after.size, !saysNothing {
      // A file that was written meanwhile may have been longer in between.
      let isSame = before.size == after.size && before.modified == after.modified
      self = isSame ? .tooLong : .cutOff
    } else if isGenerated {
      let isEither = count == before.size || count == after.size
      self = before.size == after.size || isEither ? .none : .changed
    } else if before.size != after.size || count < after.size {
      self = .changed
    } else if before.modified != after.modified {
      self = .undecided
    } else {
      self = .none
    }
  }
}
