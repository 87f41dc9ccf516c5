/// The files that a command line finds, as a value.
struct Tree {
  /// The kind of a file.
  enum Kind: Equatable {
    case directory
    /// A regular file: a text and then a hole, up to a length.
    case file(text: String, length: Int)
    case symbolicLink(to: String)
    /// A further name of the file with an earlier path.
    case hardLink(to: String)
    case fifo
  }

  /// A file.
  struct Entry: CustomStringConvertible {
    /// The path from the working directory of the program.
    let path: String
    let kind: Kind
    let mode: UInt32
    let owner: UInt32
    /// The times, in seconds.
    let time: Int64

    /// The properties of the file on one line.
    var description: String {
      let mode = String(mode, radix: 8)
      return switch kind {
      case .directory: "\(path)/ mode \(mode), owner \(owner), time \(time)"
      case .file(_, let length):
        "\(path) mode \(mode), owner \(owner), time \(time), \(length) bytes"
      case .symbolicLink(let target): "\(path) -> \(target), owner \(owner), time \(time)"
      case .hardLink(let other): "\(path) = \(other)"
      case .fifo: "\(path)| mode \(mode), owner \(owner), time \(time)"
      }
    }
  }

  /// The files, each directory before its contents.
  var entries: [Entry] = []
}
