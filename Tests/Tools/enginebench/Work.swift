import IOChannelsEngine

/// What is measured, as the arguments say it: `name=value`, and the path of a file.
struct Work {
  /// What happens to the file.
  enum Operation: String {
    case read
    /// Writing where the file has blocks.
    case overwrite
    /// Writing behind the end of an empty file.
    case new
  }

  /// Where the pages of the file are.
  enum Pages: String {
    case cached
    /// Nowhere in memory when a round begins.
    case cold
    /// `O_DIRECT`: nowhere, ever.
    case direct
  }

  /// Which way the requests take, each in turn.
  var ways: [RoutingPreference] = [.ring, .pool]
  var rounds = 1
  var operation = Operation.read
  var pages = Pages.cached
  var isRandom = false
  /// Bytes of a request.
  var size = 4096
  /// Requests in flight.
  var depth = 16
  /// Buffers that reads take in turn, if these are more than are in flight.
  var buffers = 0
  /// Requests in all.
  var count = 1024
  /// The part of the file that reads and overwriting use, from its start.
  var span = 128 << 20
  /// Threads of the pool while none is blocked; 0 for as many as programs get.
  var width = 0
  /// Whether memory is measured, too.
  var measuresMemory = false
  /// The longest read that a channel makes at once, where the reads are those of a channel.
  var atOnce: Int?
  var path = ""

  init(_ arguments: some Sequence<String>) throws {
    for argument in arguments {
      let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
      if parts.count == 2 { try set(parts[0], parts[1]) } else { path = argument }
    }
    let isSound = size > 0 && depth > 0 && count > 0 && span >= size && rounds > 0 && !path.isEmpty
    if !isSound { throw BenchFailure("a number is out of its range, or the path is missing") }
    if operation != .new, !isRandom { count = min(count, blocks) }
    depth = min(depth, count)
  }

  /// How many requests the used part of the file has room for.
  var blocks: Int { span / size }

  /// Where the request of this number goes.
  func offset(of index: Int) -> Int64 {
    guard isRandom else { return Int64(index * size) }
    var bits = UInt64(index) &+ 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return Int64((bits ^ bits >> 31) % UInt64(blocks)) * Int64(size)
  }

  private mutating func set(_ name: String, _ text: String) throws {
    switch name {
    case "ways": ways = try text.split(separator: ",").map { try value(String($0)) }
    case "work": operation = try value(text)
    case "pages": pages = try value(text)
    case "order": isRandom = text == "random"
    case "rounds": rounds = try number(text)
    case "size": size = try number(text)
    case "depth": depth = try number(text)
    case "buffers": buffers = try number(text)
    case "count": count = try number(text)
    case "span": span = try number(text)
    case "width": width = try number(text)
    case "memory": measuresMemory = text == "yes"
    case "channel": atOnce = try number(text)
    default: throw BenchFailure("not understood: \(name)")
    }
  }

  private func value<Value: RawRepresentable<String>>(_ text: String) throws -> Value {
    guard let value = Value(rawValue: text) else { throw BenchFailure("not understood: \(text)") }
    return value
  }

  private func number(_ text: String) throws -> Int {
    guard let number = Int(text) else { throw BenchFailure("not a number: \(text)") }
    return number
  }
}

/// Why there is no figure.
struct BenchFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
