/// The text that a terminal shows after it has received some output.
///
/// It knows the control characters and the one control sequence that the command writes.
struct TerminalScreen {
  private var rows: [[UInt8]] = [[]]
  private var row = 0
  private var column = 0

  /// Shows output on a terminal of a number of columns, in which long lines wrap.
  init(_ output: [UInt8], columns: Int) {
    var rest = output[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\r"): column = 0
      case UInt8(ascii: "\n"): beginRow(row + 1, at: column)
      case 0x1b:
        // The rest of the line is cleared.
        if rest.starts(with: "[K".utf8) {
          rest.removeFirst(2)
          let cleared = max(rows[row].count - column, 0)
          rows[row].removeLast(cleared)
        }
      default:
        // A character behind the last column begins the next line.
        if column == columns { beginRow(row + 1, at: 0) }
        show(byte)
      }
    }
  }

  /// The lines that are not empty.
  var lines: [String] {
    rows.map { String(decoding: $0, as: UTF8.self) }.filter { !$0.isEmpty }
  }

  private mutating func beginRow(_ next: Int, at start: Int) {
    (row, column) = (next, start)
    while rows.count <= row { rows.append([]) }
  }

  private mutating func show(_ byte: UInt8) {
    while rows[row].count < column { rows[row].append(UInt8(ascii: " ")) }
    if column < rows[row].count { rows[row][column] = byte } else { rows[row].append(byte) }
    column += 1
  }
}
