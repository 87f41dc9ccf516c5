import Glibc
import IOChannelsTestSupport
import Testing

@testable import EventSources

@Suite("Ports")
struct PortTests {
  @Test("Messages stay apart and in order")
  func messages() throws {
    let (port, sender) = try EventPort.makePair()
    for count in [5, 3, 70_000] {
      try sender.send([UInt8](repeating: UInt8(count & 7), count: count))
    }
    #expect(try port.receive() == [UInt8](repeating: 5, count: 5))
    #expect(try port.receive() == [UInt8](repeating: 3, count: 3))
    #expect(try port.receive()?.count == 70_000)
    #expect(try port.receive() == nil)
  }

  @Test("A port takes a bounded number of messages, and has room again after one was received")
  func bound() throws {
    let (port, sender) = try EventPort.makePair()
    var count = 0
    #expect(throws: SystemError.resourceTemporarilyUnavailable) {
      while count < 100_000 {
        try sender.send([1])
        count += 1
      }
    }
    // 278 where the kernel's limit is that of its default.
    #expect((1..<10_000).contains(count))
    for _ in 0..<count { #expect(try port.receive() == [1]) }
    try sender.send([2])
    #expect(try port.receive() == [2])
  }

  @Test("A message that is empty or larger than any room is refused")
  func refusedMessages() throws {
    let (port, sender) = try EventPort.makePair()
    #expect(throws: SystemError.invalidArgument) { try sender.send([]) }
    #expect(throws: SystemError.messageTooLong) {
      try sender.send([UInt8](repeating: 0, count: 64 << 20))
    }
    #expect(try port.receive() == nil)
  }

  @Test("Messages are received after the senders have gone, then the end is reported")
  func sendersGone() throws {
    let port = try portWithoutSenders()
    #expect(try port.receive() == [1])
    #expect(try port.receive() == [2, 2])
    #expect(throws: SystemError.brokenPipe) { try port.receive() }
    #expect(throws: SystemError.brokenPipe) { try port.receive() }
  }

  private func portWithoutSenders() throws -> EventPort {
    let (port, sender) = try EventPort.makePair()
    try sender.send([1])
    try sender.duplicate().send([2, 2])
    return port
  }

  @Test("A port has an end only when all senders have gone")
  func oneSenderGone() throws {
    let (port, sender) = try EventPort.makePair()
    try sender.duplicate().send([1])
    #expect(try port.receive() == [1])
    #expect(try port.receive() == nil)
    withExtendedLifetime(sender) {}
  }

  @Test("A send to a port that has gone returns EPIPE", arguments: [false, true])
  func portGone(hasMessage: Bool) throws {
    let sender = try senderWithoutPort(hasMessage: hasMessage)
    for _ in 0..<3 { #expect(throws: SystemError.brokenPipe) { try sender.send([1]) } }
  }

  private func senderWithoutPort(hasMessage: Bool) throws -> EventPort.Sender {
    let (port, sender) = try EventPort.makePair()
    if hasMessage { try sender.send([1]) }
    withExtendedLifetime(port) {}
    return sender
  }

  @Test("A send ends no process whose SIGPIPE has its default action")
  func signals() async {
    await #expect(processExitsWith: .success) {
      signal(SIGPIPE, SIG_DFL)
      let (port, sender) = try EventPort.makePair()
      withExtendedLifetime(consume port) {}
      #expect(throws: SystemError.brokenPipe) { try sender.send([1]) }
      // Sockets of bytes, as that of a service manager, raise the signal.
      let ends = try PipeEnds(socketsWithMessages: false)
      let writing = try ends.writing.borrowed.duplicate()
      _ = ends.closeWriting()
      #expect(throws: SystemError.brokenPipe) { try writing.borrowed.send([1]) }
    }
  }

  @Test("An empty message of another program is passed over")
  func emptyMessage() throws {
    let (port, sender) = try EventPort.makePair()
    #expect(try sender.borrowed.send([]) == 0)
    try sender.send([1])
    #expect(try port.receive() == [1])
    #expect(try sender.borrowed.send([]) == 0)
    #expect(try port.receive() == nil)
  }
}
