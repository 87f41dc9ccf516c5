import Testing

@testable import EventSources

@Suite("Filters of the connector")
struct ConnectorFilterTests {
  @Test("A filter passes the messages of the observed processes only", arguments: [0, 1, 3, 100])
  func observed(count: Int) {
    let observed = (0..<count).map { Int32(1000 + $0) }
    let filter = ConnectorFilter(processes: observed)
    for process in observed + [1, 999, 1100] {
      let isObserved = observed.contains(process)
      #expect(filter.passes(connectorEvent(2, [7, process])) == isObserved)
      #expect(filter.passes(connectorEvent(1, [7, process, 2, 2])) == isObserved)
      #expect(filter.passes(connectorEvent(1, [7, 1, process, process])) == isObserved)
      // Threads are no children.
      #expect(!filter.passes(connectorEvent(1, [7, process, 3, 2])))
      #expect(!filter.passes(connectorEvent(1, [7, 1, 3, process])))
      // The thread that calls does not count.
      #expect(!filter.passes(connectorEvent(2, [1000, 1])))
      #expect(!filter.passes(connectorEvent(0x8000_0000, [process, process, 0, 0])))
      #expect(filter.passes(connectorEvent(0, [0])))
    }
  }

  @Test("Beyond the limit a filter passes the forks and execs of all processes")
  func unobserved() {
    let filter = ConnectorFilter(processes: (0...Int32(ConnectorFilter.processLimit)))
    #expect(filter.passes(connectorEvent(2, [7, 5000])))
    #expect(filter.passes(connectorEvent(1, [7, 5000, 2, 2])))
    #expect(!filter.passes(connectorEvent(1, [7, 5000, 3, 2])))
    #expect(!filter.passes(connectorEvent(4, [7, 7, 0, 0])))
    #expect(filter.passes(connectorEvent(0, [0])))
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
