import IOChannels
import Measure

/// Appends of a number of bytes, some to each of a number of buffers, one buffer after the other.
struct Appends {
  let length: Int
  let each: Int
  let buffers: Int

  init(of length: Int, each: Int, buffers: Int) {
    (self.length, self.each, self.buffers) = (length, each, buffers)
  }

  /// Takes what `arguments` gave.
  init?(_ arguments: [String]) {
    let numbers = arguments.compactMap(Int.init)
    guard arguments.count == 3, numbers.count == 3 else { return nil }
    self.init(of: numbers[0], each: numbers[1], buffers: numbers[2])
  }

  /// What a process is told that does it.
  var arguments: [String] { ["\(length)", "\(each)", "\(buffers)"] }

  /// Does it in this process.
  func measure() throws -> Timing {
    let bytes = [UInt8](repeating: 1, count: length)
    return try timed(expecting: length * each * buffers) {
      var sum = 0
      for _ in 0..<buffers {
        var buffer = DataBuffer()
        for _ in 0..<each { buffer.append(bytes: bytes.span.bytes) }
        sum += buffer.count
      }
      return sum
    }
  }
}
