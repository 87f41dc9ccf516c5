import IOChannelsSystem

/// The bounds of a file of lines, without which a device or pipe that never ends fills the memory.
package struct LineBounds: Sendable {
  /// The maximum number of bytes of one line.
  package static let line = 64 << 10
  /// The bounds of a file of patterns.
  package static let patterns = LineBounds(total: 16 << 20)
  /// The bounds of a list of names.
  package static let names = LineBounds(total: 1 << 30)

  /// The maximum number of bytes of the file.
  private let total: Int

  package init(total: Int) {
    self.total = total
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
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    var (number, length) = (1, 0)
    while true {
      let count: Int
      do throws(SystemError) {
        count = try file.read(into: &buffer)
      } catch {
        throw .system(error)
      }
      if count == 0 { return contents }
      for byte in buffer[..<count] {
        length += 1
        if byte == end {
          (number, length) = (number + 1, 0)
        } else if length > LineBounds.line {
          throw .longLine(number, limit: LineBounds.line)
        }
      }
      if count > total - contents.count { throw .longFile(limit: total) }
      contents += buffer[..<count]
    }
  }
}
