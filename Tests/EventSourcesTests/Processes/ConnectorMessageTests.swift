import IOChannelsTestSupport
import Testing

@testable import EventSources

@Suite("Messages of the connector")
struct ConnectorMessageTests {
  @Test("Forks, execs and acknowledgements are read")
  func kinds() {
    #expect(read(connectorEvent(1, [20, 10, 21, 21])) == [.forked(parent: 10, child: 21)])
    #expect(read(connectorEvent(2, [12, 11])) == [.executed(11)])
    #expect(
      read(connectorEvent(0, [0], request: 76)) == [.acknowledged(request: 76, error: 0)]
    )
    #expect(
      read(connectorEvent(0, [1], request: .max)) == [.acknowledged(request: .max, error: 1)]
    )
  }

  @Test("New threads, other kinds, senders and types mean nothing")
  func meaningless() {
    // The thread 22 of process 21 counts as the child of that process's parent.
    #expect(read(connectorEvent(1, [10, 10, 22, 21])) == [])
    #expect(read(connectorEvent(0x8000_0000, [10, 10, 0, 0])) == [])
    #expect(read(connectorEvent(4, [10, 10, 0, 0])) == [])
    #expect(read(connectorEvent(2, [12, 11], connector: [3, 1])) == [])
    #expect(read(connectorEvent(2, [12, 11], connector: [1, 2])) == [])
    #expect(read(connectorEvent(2, [12, 11], type: 2)) == [])
  }

  @Test("Several messages in one receipt are read in order")
  func several() {
    let bytes =
      connectorEvent(2, [12, 11]) + connectorEvent(4, []) + connectorEvent(1, [20, 10, 21, 21])
    #expect(read(bytes) == [.executed(11), .forked(parent: 10, child: 21)])
  }

  @Test("A message that is cut off anywhere means nothing")
  func truncated() {
    for kind: UInt32 in [0, 1, 2] {
      let whole = connectorEvent(kind, [20, 10, 21, 21])
      #expect(read(whole).count == 1)
      for length in 0..<whole.count { #expect(read(Array(whole.prefix(length))) == []) }
    }
  }

  @Test(
    "A length that is too short, too long or zero ends the list",
    arguments: [0, 1, 15, 77, .max]
  )
  func lengths(length: UInt32) {
    var bytes = connectorEvent(2, [12, 11])
    for index in 0..<4 { bytes[index] = UInt8(truncatingIfNeeded: length >> (8 * index)) }
    #expect(read(connectorEvent(2, [1, 1]) + bytes) == [.executed(1)])
  }

  @Test("A stated length beyond the message, or too short for the event, means nothing")
  func innerLengths() {
    for length in 0...255 {
      var bytes = connectorEvent(1, [20, 10, 21, 21])
      bytes[32] = UInt8(length)
      // The end of the fork's last number.
      #expect(read(bytes) == ((32...40).contains(length) ? [.forked(parent: 10, child: 21)] : []))
    }
  }

  @Test("Any bytes are read without a trap, and changed messages too")
  func hostile() {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<Tier.count(quick: 20_000, full: 200_000) {
      var bytes = Bool.random(using: &generator) ? connectorEvent(1, [20, 10, 21, 21]) : []
      for _ in 0..<Int.random(in: 0...40, using: &generator) {
        bytes.append(UInt8.random(in: 0...255, using: &generator))
      }
      for _ in 0..<Int.random(in: 0...4, using: &generator) where !bytes.isEmpty {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        bytes[index] = UInt8.random(in: 0...255, using: &generator)
      }
      #expect(read(bytes).count <= bytes.count / 52)
    }
  }

  @Test("A request has the layout of the kernel")
  func request() {
    let bytes = ConnectorRequest.startEvents.bytes(number: 0x0102_0304)
    #expect(bytes.count == 40)
    #expect(bytes[0] == 40)
    #expect(bytes[16] == 1 && bytes[20] == 1)
    #expect(Array(bytes[28..<32]) == [4, 3, 2, 1])
    #expect(bytes[32] == 4)
    #expect(bytes[36] == 1)
  }
}

private func read(_ bytes: [UInt8]) -> [ConnectorMessage] {
  ConnectorMessage.messages(in: bytes[...])
}
