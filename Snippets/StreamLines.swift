// Takes lines out of bytes that come in pieces, wherever the pieces end.

import DataRegions

struct LineReader {
  private var rest = DataBuffer()

  /// Returns the lines that a piece completes.
  mutating func lines(completedBy piece: DataBuffer) -> [DataBuffer] {
    // The bytes before the piece hold no end of a line: only the piece is searched.
    let searched = rest.count
    rest.append(piece)
    var lines: [DataBuffer] = []
    var start = 0
    while let end = rest.firstIndex(of: 0x0a, in: max(start, searched)..<rest.count) {
      lines.append(rest.subdata(in: start..<end))
      start = end + 1
    }
    rest = rest.subdata(in: start..<rest.count)
    return lines
  }

  /// The bytes behind the last end of a line.
  var unfinished: DataBuffer { rest }
}

var reader = LineReader()
for piece in ["one\ntw", "o\nthr", "ee"] {
  for line in reader.lines(completedBy: DataBuffer(piece.utf8)) {
    print(String(repairing: line))
  }
}
print("unfinished:", String(repairing: reader.unfinished))

// Of a buffer that is whole, the lines are there at once.
for line in DataBuffer("one\r\ntwo".utf8).lines {
  print(line.count)
}

// snippet.hide
// one
// two
// unfinished: three
// 3
// 3
