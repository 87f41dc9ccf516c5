import TestSupport
import Testing

@testable import EventSources

@Suite("Messages of the connector")
struct ConnectorMessageTests {
  @Test("Forks, execs and acknowledgements are read")
  func kinds() {
    #expect(read(event(1, [20, 10, 21, 21])) == [.forked(parent: 10, child: 21)])
    #expect(read(event(2, [12, 11])) == [.executed(11)])
    #expect(
      read(event(0, [0], request: 76)) == [.acknowledged(request: 76, error: 0)]
    )
    #expect(
      read(event(0, [1], request: .max)) == [.acknowledged(request: .max, error: 1)]
    )
  }

  @Test("New threads, other kinds, senders and types mean nothing")
  func meaningless() {
    // The thread 22 of process 21 counts as the child of that process's parent.
    #expect(read(event(1, [10, 10, 22, 21])) == [])
    #expect(read(event(0x8000_0000, [10, 10, 0, 0])) == [])
    #expect(read(event(4, [10, 10, 0, 0])) == [])
    #expect(read(event(2, [12, 11], connector: [3, 1])) == [])
    #expect(read(event(2, [12, 11], connector: [1, 2])) == [])
    #expect(read(event(2, [12, 11], type: 2)) == [])
  }

  @Test("Several messages in one receipt are read in order")
  func several() {
    let bytes = event(2, [12, 11]) + event(4, []) + event(1, [20, 10, 21, 21])
    #expect(read(bytes) == [.executed(11), .forked(parent: 10, child: 21)])
  }

  @Test("A message that is cut off anywhere means nothing")
  func truncated() {
    for kind: UInt32 in [0, 1, 2] {
      let whole = event(kind, [20, 10, 21, 21])
      #expect(read(whole).count == 1)
      for length in 0..<whole.count { #expect(read(Array(whole.prefix(length))) == []) }
    }
  }

  @Test(
    "A length that is too short, too long or zero ends the list",
    arguments: [0, 1, 15, 77, .max]
  )
  func lengths(length: UInt32) {
    var bytes = event(2, [12, 11])
    for index in 0..<4 { bytes[index] = UInt8(truncatingIfNeeded: length >> (8 * index)) }
    #expect(read(event(2, [1, 1]) + bytes) == [.executed(1)])
  }

  @Test("A stated length beyond the message, or too short for the event, means nothing")
  func innerLengths() {
    for length in 0...255 {
      var bytes = event(1, [20, 10, 21, 21])
      bytes[32] = UInt8(length)
      // The end of the fork's last number.
      #expect(read(bytes) == ((32...40).contains(length) ? [.forked(parent: 10, child: 21)] : []))
    }
  }

  @Test("Any bytes are read without a trap, and changed messages too")
  func hostile() {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<Tier.count(quick: 20_000, full: 200_000) {
      var bytes = Bool.random(using: &generator) ? event(1, [20, 10, 21, 21]) : []
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

@Suite("Filters of the connector")
struct ConnectorFilterTests {
  @Test("A filter passes the messages of the observed processes only", arguments: [0, 1, 3, 100])
  func observed(count: Int) {
    let observed = (0..<count).map { Int32(1000 + $0) }
    let filter = ConnectorFilter(processes: observed)
    for process in observed + [1, 999, 1100] {
      let isObserved = observed.contains(process)
      #expect(filter.passes(event(2, [7, process])) == isObserved)
      #expect(filter.passes(event(1, [7, process, 2, 2])) == isObserved)
      #expect(filter.passes(event(1, [7, 1, process, process])) == isObserved)
      // Threads are no children.
      #expect(!filter.passes(event(1, [7, process, 3, 2])))
      #expect(!filter.passes(event(1, [7, 1, 3, process])))
      // The thread that calls does not count.
      #expect(!filter.passes(event(2, [1000, 1])))
      #expect(!filter.passes(event(0x8000_0000, [process, process, 0, 0])))
      #expect(filter.passes(event(0, [0])))
    }
  }

  @Test("Beyond the limit a filter passes the forks and execs of all processes")
  func unobserved() {
    let filter = ConnectorFilter(processes: (0...Int32(ConnectorFilter.processLimit)))
    #expect(filter.passes(event(2, [7, 5000])))
    #expect(filter.passes(event(1, [7, 5000, 2, 2])))
    #expect(!filter.passes(event(1, [7, 5000, 3, 2])))
    #expect(!filter.passes(event(4, [7, 7, 0, 0])))
    #expect(filter.passes(event(0, [0])))
  }
}

extension ConnectorFilter {
  /// Runs the program on a message as the kernel does.
  fileprivate func passes(_ message: [UInt8]) -> Bool {
    var loaded: UInt32 = 0
    var transferred: UInt32 = 0
    var position = 0
    while position < instructions.count {
      let instruction = instructions[position]
      position += 1
      switch instruction.code {
      case .load:
        let start = Int(instruction.constant)
        guard start + 4 <= message.count else { return false }
        loaded = message[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) }
      case .transfer: transferred = loaded
      case .jumpIfConstant:
        let isEqual = loaded == instruction.constant
        position += Int(isEqual ? instruction.ifTrue : instruction.ifFalse)
      case .jumpIfTransferred:
        position += Int(loaded == transferred ? instruction.ifTrue : instruction.ifFalse)
      case .end: return instruction.constant != 0
      }
    }
    Issue.record("the program has no end")
    return false
  }
}

private func read(_ bytes: [UInt8]) -> [ConnectorMessage] {
  ConnectorMessage.messages(in: bytes[...])
}

/// Returns a message as the kernel sends it.
private func event(
  _ kind: UInt32,
  _ details: [Int32],
  request: UInt32 = 0,
  connector: [UInt32] = [1, 1],
  type: UInt32 = 3
) -> [UInt8] {
  let numbers = details.map(UInt32.init(bitPattern:)) + Array(repeating: 0, count: 6)
  let header: [UInt32] = [76, type, 0, 0]
  let middle: [UInt32] = connector + [9, request &+ 1, 40]
  let words = header + middle + [kind, 1, 2, 3] + numbers.prefix(6)
  return words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
}
