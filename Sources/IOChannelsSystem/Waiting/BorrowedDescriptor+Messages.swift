internal import CIOChannelsSystem

/// Sockets that keep message boundaries, and connections to sockets with a path.
extension BorrowedDescriptor {
  /// Creates a connected pair of message sockets (`SOCK_SEQPACKET`).
  package static func messageSockets() throws(SystemError) -> MessageSockets {
    let pair = csys_message_sockets()
    if pair.error != 0 { throw SystemError(rawValue: pair.error) }
    return MessageSockets(
      first: OwnedDescriptor(owning: pair.first),
      second: OwnedDescriptor(owning: pair.second)
    )
  }

  /// Sends one message, or bytes on a stream socket, without blocking and without `SIGPIPE`.
  ///
  /// - Returns: The number of bytes sent.
  /// - Throws: `EAGAIN` if there is no room, `EPIPE` if the other end is closed.
  package func send(_ bytes: [UInt8]) throws(SystemError) -> Int {
    let count = bytes.count
    return try unsafe bytes.span.bytes.withUnsafeBytes { buffer throws(SystemError) in
      try uninterrupted { unsafe csys_send(rawValue, buffer.baseAddress, count) }
    }
  }

  /// Receives one message into the start of an array, without blocking.
  ///
  /// - Returns: The number of bytes, 0 at the end and for an empty message.
  /// - Throws: `EAGAIN` if there is no message.
  package func receive(into bytes: inout [UInt8]) throws(SystemError) -> Int {
    var span = bytes.mutableSpan
    var buffer = unsafe span.mutableBytes
    let count = buffer.byteCount
    return try unsafe buffer.withUnsafeMutableBytes { buffer throws(SystemError) in
      try uninterrupted { unsafe csys_receive(rawValue, buffer.baseAddress, count) }
    }
  }

  /// Returns the length of the next message, 0 at the end and for an empty message.
  ///
  /// - Throws: `EAGAIN` if there is no message.
  package func nextMessageLength() throws(SystemError) -> Int {
    try uninterrupted { csys_next_message_length(rawValue) }
  }

  /// Ends the sending direction of a connected socket (`shutdown`), without blocking.
  ///
  /// - Throws: `ENOTSOCK` for any other file, `ENOTCONN` without a connection.
  package func shutDownWriting() throws(SystemError) {
    _ = try csys_shutdown_writing(rawValue).get()
  }

  /// Connects to the stream socket at a path, without blocking.
  package static func connection(to path: BytePath) throws(SystemError) -> OwnedDescriptor {
    let socket = OwnedDescriptor(owning: Int32(try csys_stream_socket().get()))
    let number = socket.rawValue
    _ = try unsafe path.withName { name throws(SystemError) in
      try uninterrupted { unsafe csys_connect(number, name) }
    }
    return socket
  }
}

/// The two ends of a connected pair of sockets.
package struct MessageSockets: ~Copyable {
  package let first: OwnedDescriptor
  package let second: OwnedDescriptor

  /// Releases ownership of both descriptors, which the caller must close.
  package consuming func release() -> (first: Int32, second: Int32) {
    (first.release(), second.release())
  }
}
