/// A glob of a pattern, which matches names or paths in bounded time.
///
/// All ways to match are followed at once, one byte at a time. So a match takes one step for each
/// byte and part, and no pattern makes it try the same bytes again.
struct Glob: Hashable, Sendable {
  /// A part of a glob.
  enum Part: Hashable, Sendable {
    case byte(UInt8)
    /// One byte but a slash, `?`.
    case anyByte
    /// One byte of a class.
    case set(ByteSet)
    /// Any bytes but slashes, `*`.
    case run
    /// Any bytes, `**` where nothing but a slash or the end follows.
    case everything
    /// The start of `**/`: the directories that follow, or none.
    case optionalDirectories
    /// One or more directories and the slash behind them.
    case directories
  }

  /// The parts that may come next, a flag for each of them and a last one for the end.
  typealias Places = [Bool]

  let parts: [Part]

  /// The places before the first byte.
  var start: Places {
    var places = Places(repeating: false, count: parts.count + 1)
    places[0] = true
    skipOptionalParts(&places)
    return places
  }

  /// Whether the whole text matches.
  func matches(_ text: ArraySlice<UInt8>) -> Bool {
    // Most names differ in the first byte.
    if case .byte(let first)? = parts.first, text.first != first { return false }
    return matches(text, from: start)
  }

  /// Whether the glob ends with the text, continued from some places.
  func matches(_ text: ArraySlice<UInt8>, from places: Places) -> Bool {
    var places = places
    for byte in text { advance(&places, over: byte) }
    return places[parts.count]
  }

  /// Moves the places over one byte. None is left if no text that continues so matches.
  func advance(_ places: inout Places, over byte: UInt8) {
    // From the end, so that each place still sees the old value of the one before it.
    for index in stride(from: parts.count, through: 0, by: -1) {
      let stays = index < parts.count && places[index] && parts[index].mayContinue(after: byte)
      let arrives = index > 0 && places[index - 1] && parts[index - 1].mayEnd(with: byte)
      places[index] = stays || arrives
    }
    skipOptionalParts(&places)
  }

  /// Adds the places behind parts that may match nothing.
  private func skipOptionalParts(_ places: inout Places) {
    for index in parts.indices where places[index] {
      switch parts[index] {
      case .run, .everything: places[index + 1] = true
      case .optionalDirectories:
        places[index + 1] = true
        // Behind the directories, which always follow.
        places[index + 2] = true
      case .byte, .anyByte, .set, .directories: break
      }
    }
  }
}

extension Glob.Part {
  /// Whether the part may match a byte and more bytes after it.
  fileprivate func mayContinue(after byte: UInt8) -> Bool {
    switch self {
    case .run: byte != UInt8(ascii: "/")
    case .everything, .directories: true
    case .byte, .anyByte, .set, .optionalDirectories: false
    }
  }

  /// Whether a byte may be the last one that the part matches, so that the next part follows.
  ///
  /// A part that may match nothing needs no last byte.
  fileprivate func mayEnd(with byte: UInt8) -> Bool {
    switch self {
    case .byte(let own): byte == own
    case .anyByte: byte != UInt8(ascii: "/")
    case .set(let set): set.contains(byte)
    case .directories: byte == UInt8(ascii: "/")
    case .run, .everything, .optionalDirectories: false
    }
  }
}
