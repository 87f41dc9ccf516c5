internal import CIOChannelsSystem

/// A socket on which the kernel reports the forks and execs of all processes (proc connector).
///
/// No call of this type blocks.
package struct ConnectorSocket: ~Copyable, Sendable {
  private let descriptor: OwnedDescriptor

  package var borrowed: BorrowedDescriptor { descriptor.borrowed }

  /// Creates a socket that receives no events yet.
  package init() throws(SystemError) {
    descriptor = OwnedDescriptor(owning: Int32(try csys_connector_open().get()))
  }

  /// Subscribes the socket to the events of processes.
  package func bind() throws(SystemError) {
    _ = try csys_connector_bind(descriptor.rawValue).get()
  }

  /// Sets the size of the receive buffer, up to the limit of the system.
  package func setRoom(bytes: Int32) {
    _ = csys_connector_room(descriptor.rawValue, bytes)
  }

  /// Sets the filter program with which the kernel drops messages.
  ///
  /// - Throws: `EINVAL` for a program that the kernel refuses.
  package func setFilter(_ instructions: [UInt64]) throws(SystemError) {
    _ = try unsafe csys_connector_filter(
      descriptor.rawValue,
      instructions,
      instructions.count
    ).get()
  }

  /// Sends a message to the kernel.
  package func send(_ message: [UInt8]) throws(SystemError) {
    _ = try borrowed.write(message, 0..<message.count)
  }

  /// Receives one message into the start of `bytes`.
  ///
  /// - Returns: The number of bytes, 0 for a message that does not come from the kernel.
  /// - Throws: `EAGAIN` if there is no message, `ENOBUFS` if messages were lost.
  package func receive(into bytes: inout [UInt8]) throws(SystemError) -> Int {
    let rawValue = descriptor.rawValue
    let count = bytes.count
    var interruptions = 0
    while true {
      let result = unsafe csys_connector_receive(rawValue, &bytes, count)
      if result.error == SystemError.interrupted.rawValue, interruptions < interruptionLimit {
        interruptions += 1
        continue
      }
      return try result.get()
    }
  }
}
