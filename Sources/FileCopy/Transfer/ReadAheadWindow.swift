/// Which part of a file is asked for ahead of whoever copies it.
struct ReadAheadWindow: Sendable {
  /// How far ahead of the copy.
  static let reach: Int64 = 32 << 20
  /// How much is missing in the window before somebody is woken to ask for it.
  static let step: Int64 = 1 << 20
  /// The most that one call asks for: of more, the kernel reads only as much as one request to the
  /// disk or its own reading ahead may have.
  static let callLength: Int64 = 256 << 10

  private let length: Int64
  private var copied: Int64 = 0
  private var asked: Int64 = 0
  private var isAsking = false
  /// Whether nothing is asked for any more.
  private(set) var isStopped = false

  /// - Parameter length: The length of the file.
  init(length: Int64) {
    self.length = length
  }

  /// Notes that bytes were copied behind those before.
  ///
  /// - Returns: Whether somebody is to begin to ask for what ``next()`` tells.
  mutating func moved(_ count: Int) -> Bool {
    copied += Int64(count)
    if isStopped || isAsking { return false }
    let missing = copied + ReadAheadWindow.reach - asked
    guard asked < length, missing >= ReadAheadWindow.step else { return false }
    isAsking = true
    return true
  }

  /// What to ask for next, nil when that is enough.
  mutating func next() -> Range<Int64>? {
    asked = max(asked, copied)
    guard !isStopped, asked < min(length, copied + ReadAheadWindow.reach) else {
      isAsking = false
      return nil
    }
    let start = asked
    asked = min(start + ReadAheadWindow.callLength, length)
    return start..<asked
  }

  /// Asks for nothing more.
  mutating func stop() {
    isStopped = true
  }
}
