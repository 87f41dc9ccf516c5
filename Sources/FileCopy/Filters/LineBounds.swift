import IOChannelsSystem

/// The bounds of a file of lines, without which a device or pipe that never ends fills the memory.
package struct LineBounds: Sendable {
  /// The maximum number of bytes of one line that has a pattern or a name.
  package static let line = 64 << 10
  /// The bounds of a file of patterns.
  package static let patterns = LineBounds(total: 16 << 20)
  /// The bounds of a list of names.
  package static let names = LineBounds(total: 1 << 30)
  /// The bounds of a manifest, whose names are paths with escaped bytes.
  static let manifest = LineBounds(total: 1 << 32, line: 1 << 20)

  /// The maximum number of bytes of the file.
  private let total: Int
  /// The maximum number of bytes of one line.
  private let line: Int

  package init(total: Int, line: Int = LineBounds.line) {
    self.total = total
    self.line = line
  }

  /// The reason why a file was not read.
  package enum Failure: Error, Equatable, Sendable {
    case system(SystemError)
    /// The line with a number, from 1, has more bytes than the limit.
    case longLine(Int, limit: Int)
    /// The file has more bytes than the limit.
    case longFile(limit: Int)
  }

  /// Reads the rest of a file, in which each line ends with a byte.
  package func read(
    _ file: BorrowedDescriptor,
    linesEndingWith end: UInt8 = UInt8(ascii: "\n")
  ) throws(Failure) -> [UInt8] {
    var contents: [UInt8] = []
    var pieces = Pieces(of: file, within: self, linesEndingWith: end)
    while let piece = try pieces.next() { contents += piece }
    return contents
  }

  /// The rest of a file in pieces, none of which exceeds the bounds.
  struct Pieces {
    private let file: BorrowedDescriptor
    private let bounds: LineBounds
    private let end: UInt8
    private var buffer = [UInt8](repeating: 0, count: 16 << 10)
    private var (number, length, total) = (1, 0, 0)

    init(
      of file: BorrowedDescriptor,
      within bounds: LineBounds,
      linesEndingWith end: UInt8 = UInt8(ascii: "\n")
    ) {
      self.file = file
      self.bounds = bounds
      self.end = end
    }

    /// Reads the next piece; nil at the end of the file.
    mutating func next() throws(Failure) -> ArraySlice<UInt8>? {
      let count: Int
      do throws(SystemError) {
        count = try file.read(into: &buffer)
      } catch {
        throw .system(error)
      }
      if count == 0 { return nil }
      for byte in buffer[..<count] {
        length += 1
        if byte == end {
          (number, length) = (number + 1, 0)
        } else if length > bounds.line {
          throw .longLine(number, limit: bounds.line)
        }
      }
      total += count
      if total > bounds.total { throw .longFile(limit: bounds.total) }
      return buffer[..<count]
    }
  }
}
