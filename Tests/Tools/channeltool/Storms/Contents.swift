import CIOChannelsTestSupport
import IOChannels
import IOChannelsEngine
import IOChannelsSystem
import IOChannelsTestSupport

/// Files that differ in every byte from each other, and their bytes.
struct Contents: Sendable {
  struct Content: Sendable {
    let path: String
    let array: [UInt8]
    let bytes: DataBuffer
  }

  let all: [Content]

  /// Writes the files into a directory: empty ones, small ones and some of several steps.
  init(in directory: String) throws {
    let sizes = [0, 1, 1000, 4096, 10_000, 65_536, 100_001, 300_000, 1 << 20, 2_500_000]
    let plain = pattern(sizes.max() ?? 0)
    all = try sizes.enumerated().map { number, size in
      let bytes = plain[..<size].map { $0 &+ UInt8(number * 23) }
      let path = "\(directory)/\(number)"
      let file = try openFile(path, [.writeOnly, .create])
      var start = 0
      while start < size { start += try file.borrowed.write(bytes, start..<size) }
      return Content(path: path, array: bytes, bytes: DataBuffer(bytes))
    }
  }
}

/// The kind of a file that a storm reads.
enum SourceKind {
  case file
  case pipe
  /// A pipe with packets.
  case packets
  /// A socket with packets, which end.
  case packetSocket
  /// A socket of bytes, which end.
  case socket
  /// A connection of TCP, which the peer resets after the last byte.
  case connection

  init(_ generator: inout SeededGenerator) {
    self =
      switch generator.number(in: 0..<100) {
      case ..<50: .file
      case ..<76: .pipe
      case ..<82: .packets
      case ..<88: .packetSocket
      case ..<92: .socket
      default: .connection
      }
  }

  var isStream: Bool { self != .file }

  /// Creates both ends.
  fileprivate func ends() -> ct_pipe_ends {
    switch self {
    case .file, .pipe: ct_pipe()
    case .packets: ct_packets()
    case .packetSocket: ct_packet_sockets()
    case .socket: ct_sockets(0)
    case .connection: ct_connection()
    }
  }

  /// Draws the size of all packets but the last, or returns nil for bytes without bounds.
  fileprivate func packetSize(_ generator: inout SeededGenerator) -> Int? {
    switch self {
    case .packets: generator.number(in: 1..<4097)
    case .packetSocket: generator.number(in: 1..<5000)
    case .file, .pipe, .socket, .connection: nil
    }
  }
}

/// Something to read from: a file, or a pipe or socket that gets the start of a file's bytes.
struct Source: ~Copyable {
  let reading: OwnedDescriptor
  /// Where bytes go in; `close` and `closeReadingRest` close it.
  let writing: BorrowedDescriptor?
  /// All that can be read.
  let bytes: DataBuffer
  let feed: Feed
  let kind: SourceKind

  /// A pipe has room for 16 pages; three writes may leave two of them partly empty.
  private static let pipePages = 14

  init(_ contents: Contents, _ generator: inout SeededGenerator) throws {
    let content = contents.all[generator.number(in: 0..<contents.all.count)]
    let kind = SourceKind(&generator)
    self.kind = kind
    if kind.isStream {
      let ends = kind.ends()
      check(ends.reading >= 0)
      reading = OwnedDescriptor(owning: ends.reading)
      writing = BorrowedDescriptor(rawValue: ends.writing)
      // A packet takes a page of a pipe, and the buffer of a socket has room for as many.
      let packetSize = kind.packetSize(&generator)
      let count = min(content.array.count, Source.pipePages * (packetSize ?? 4096))
      bytes = content.bytes.subdata(in: 0..<count)
      feed = Feed(bytes: content.array, end: count, packetSize: packetSize)
    } else {
      reading = try openFile(content.path)
      writing = nil
      bytes = content.bytes
      feed = Feed(bytes: [], end: 0, packetSize: nil)
    }
  }
}

/// What a stream has when no channel reads it any more.
struct Rest {
  private(set) var count = 0
  /// Whether a reset was still to be reported.
  private(set) var wasReset = false

  /// Reads all bytes up to the end.
  init(of descriptor: BorrowedDescriptor) throws {
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    var isOver = false
    while !isOver {
      switch Result(catching: { () throws(SystemError) in try descriptor.read(into: &piece) }) {
      case .success(let more):
        count += more
        isOver = more == 0
      case .failure(.connectionReset) where !wasReset: wasReset = true
      case .failure(let error): throw error
      }
    }
  }
}

extension Source {
  /// Closes both ends, the last thing to do with it.
  consuming func close() { closeWriting() }

  /// Closes the writing end, after which a read finds an end or a reset.
  private borrowing func closeWriting() {
    guard let number = writing?.rawValue else { return }
    if kind == .connection { ct_reset(number) } else { ct_close(number) }
  }

  /// Closes the writing end of a stream, waits until nothing reads it any more, and reads the rest.
  consuming func closeReadingRest(after over: WorkGroup) throws -> Rest {
    closeWriting()
    over.wait()
    return try Rest(of: reading.borrowed)
  }
}

/// What is left to be put into a pipe or socket.
struct Feed {
  let bytes: [UInt8]
  let end: Int
  /// The size of all packets but the last; nil for bytes without bounds.
  let packetSize: Int?
  private var start = 0

  init(bytes: [UInt8], end: Int, packetSize: Int?) {
    self.bytes = bytes
    self.end = end
    self.packetSize = packetSize
  }

  /// Puts at least `count` bytes more into the pipe or socket, if there is one and they are left.
  ///
  /// All packets but the last have the same size.
  mutating func write(_ count: Int, to writing: BorrowedDescriptor?) throws {
    guard let writing else { return }
    let next = start + min(count, end - start)
    while start < next {
      let part = start..<(packetSize.map { min(start + $0, end) } ?? next)
      start += try writing.write(bytes, part)
    }
  }
}
