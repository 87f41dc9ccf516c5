/// The fuzzer's input, read as numbers and runs of bytes; behind its end come zeros.
struct Script {
  private let input: [UInt8]
  private var next = 0

  init(_ input: some Sequence<UInt8>) {
    self.input = Array(input)
  }

  var isAtEnd: Bool { next >= input.count }

  mutating func byte() -> UInt8 {
    defer { next += 1 }
    return isAtEnd ? 0 : input[next]
  }

  /// A number from 0 up to `last`.
  mutating func number(upTo last: Int) -> Int {
    let word = last < 256 ? Int(byte()) : Int(byte()) << 8 | Int(byte())
    return word % (last + 1)
  }

  /// The next bytes, in a number that the script tells.
  mutating func bytes(upTo limit: Int) -> [UInt8] {
    let wanted = number(upTo: limit)
    let start = min(next, input.count)
    next = min(start + wanted, input.count)
    return Array(input[start..<next])
  }

  mutating func range(in count: Int) -> Range<Int> {
    let (first, second) = (number(upTo: count), number(upTo: count))
    return min(first, second)..<max(first, second)
  }
}
