import DataRegions
import IOChannelsSystem

/// What stands behind a descriptor: bytes that can be read and written, or a stream of each.
final class SimulatedFile {
  /// Longer files are refused.
  static let limit = 1 << 20

  let index: Int
  let isPollable: Bool
  let isAppending: Bool
  /// The bytes of a file; of a pipe those that can be read from it.
  var content: [UInt8]
  /// How many bytes of a pipe were read.
  var consumed = 0
  /// The file position when the run began.
  var start: Int64 = 0
  /// The streams that were made of it.
  var streams: [ChannelRecord] = []
  /// Where transfers fail with `EIO`, each time.
  var badRange = 0..<0

  init(index: Int, isPollable: Bool, isAppending: Bool, content: [UInt8]) {
    self.index = index
    self.isPollable = isPollable
    self.isAppending = isAppending
    self.content = content
  }

  /// How far all streams have moved the file position.
  var movedByStreams: Int64 { streams.reduce(0) { $0 + $1.movedByStream } }

  /// How many bytes a transfer at `offset` can move at most, or why none.
  func room(at offset: Int64?, count: Int, writes: Bool) -> Result<Int, SystemError> {
    if isPollable { return .success(writes ? count : min(count, content.count - consumed)) }
    if isAppending, writes { return .success(count) }
    guard let offset, offset >= 0 else { return .failure(.invalidArgument) }
    guard offset < Self.limit else { return writes ? .failure(.fileTooLarge) : .success(0) }
    let start = Int(offset)
    if badRange.contains(start) { return .failure(.ioError) }
    var end = start + count
    if start < badRange.lowerBound { end = min(end, badRange.lowerBound) }
    if !writes { end = min(end, max(start, content.count)) }
    return .success(end - start)
  }

  /// Takes bytes out of a file or pipe.
  func read(at offset: Int64?, count: Int) -> ArraySlice<UInt8> {
    guard !isPollable else {
      defer { consumed += count }
      return content[consumed..<consumed + count]
    }
    let start = min(Int(offset ?? 0), content.count)
    return content[start..<start + count]
  }

  /// Puts the first `count` bytes of a value in; a pipe's other end takes them at once.
  func write(_ data: DataBuffer, at offset: Int64?, count: Int) {
    if isPollable { return }
    let start = isAppending ? content.count : Int(offset ?? 0)
    if content.count < start + count {
      content.append(contentsOf: repeatElement(0, count: start + count - content.count))
    }
    SimulatedMemory.copy(data, count: count, to: &content, at: start)
  }
}
