internal import CIOChannelsTestSupport
public import IOChannelsSystem

/// Both ends of a pipe.
public struct PipeEnds: ~Copyable {
  /// Where bytes come out.
  public let reading: OwnedDescriptor
  /// Where bytes go in.
  public let writing: OwnedDescriptor

  /// Makes a pipe.
  public init() throws {
    let ends = ct_pipe()
    if ends.reading < 0 { throw TestFailure("cannot make a pipe") }
    reading = OwnedDescriptor(owning: ends.reading)
    writing = OwnedDescriptor(owning: ends.writing)
  }

  /// Makes a pair of connected sockets, of which both ends go both ways.
  public init(socketsWithMessages hasMessages: Bool) throws {
    let ends = ct_sockets(hasMessages ? 1 : 0)
    if ends.reading < 0 { throw TestFailure("cannot make sockets") }
    reading = OwnedDescriptor(owning: ends.reading)
    writing = OwnedDescriptor(owning: ends.writing)
  }

  /// Makes a pipe whose writes are packets.
  public init(packets: Void) throws {
    let ends = ct_packets()
    if ends.reading < 0 { throw TestFailure("cannot make a pipe with packets") }
    reading = OwnedDescriptor(owning: ends.reading)
    writing = OwnedDescriptor(owning: ends.writing)
  }

  /// Makes two sockets with a connection of TCP.
  public init(connection: Void) throws {
    let ends = ct_connection()
    if ends.reading < 0 { throw TestFailure("cannot connect sockets") }
    reading = OwnedDescriptor(owning: ends.reading)
    writing = OwnedDescriptor(owning: ends.writing)
  }

  /// Opens both ends of a pipe that has a name.
  public init(fifo path: String) throws {
    // Neither opening waits: this one is both ends.
    let both = try openFile(path, .readWrite)
    let (readingEnd, writingEnd) = try PipeEnds.openBoth(path)
    _ = both.rawValue
    reading = OwnedDescriptor(owning: readingEnd)
    writing = OwnedDescriptor(owning: writingEnd)
  }

  private static func openBoth(_ path: String) throws -> (reading: Int32, writing: Int32) {
    let reading = try openFile(path, .readOnly)
    let writing = try openFile(path, .writeOnly)
    return (reading.release(), writing.release())
  }

  /// Makes a terminal in raw mode, whose master is `writing`; both ends go both ways.
  public init(terminal: Void) throws {
    let ends = ct_terminal()
    if ends.reading < 0 { throw TestFailure("cannot make a terminal") }
    reading = OwnedDescriptor(owning: ends.reading)
    writing = OwnedDescriptor(owning: ends.writing)
  }

  /// Whether a terminal takes no more output.
  public var isFull: Bool { ct_is_writable(reading.rawValue) == 0 }

  /// Whether `SIGPIPE` waits for the calling thread.
  public static var signalWaits: Bool { ct_pipe_signal_waits() == 1 }

  /// Leaves the numbers of both ends to the caller, who closes them.
  public consuming func handedOut() -> (reading: Int32, writing: Int32) {
    (reading.release(), writing.release())
  }

  /// Closes the writing end and gives the other.
  public consuming func closeWriting() -> OwnedDescriptor { reading }

  /// Closes the reading end of a connection with a reset, and gives the other once that has come.
  public consuming func resetByReader() throws -> OwnedDescriptor {
    let ends = handedOut()
    ct_reset(ends.reading)
    let writing = OwnedDescriptor(owning: ends.writing)
    while try !writing.borrowed.readiness(.readable).contains(.failed) {}
    return writing
  }

  /// Closes a socket of TCP with a reset.
  public static func reset(_ number: Int32) { ct_reset(number) }

  /// Makes a datagram socket whose peer does not exist, with the error of a refused datagram.
  public static func refusedDatagrams() throws -> OwnedDescriptor {
    let socket = OwnedDescriptor(owning: ct_datagrams_to_nobody())
    // The peer of another test may have the same port for a moment.
    repeat {
      _ = try? socket.borrowed.write([1], 0..<1)
    } while !socket.borrowed.waitUntilReadable(milliseconds: 100)
    return socket
  }

  /// Closes the reading end and gives the other.
  public consuming func closeReading() -> OwnedDescriptor { writing }

  /// Closes the reading end and gives the other, once nobody has it: a child that another thread is
  /// starting has all ends until it becomes its program.
  public consuming func loseReader() -> OwnedDescriptor {
    let writing = closeReading()
    ct_await_lost_peer(writing.rawValue)
    return writing
  }
}
