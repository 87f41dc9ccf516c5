import Testing

@testable import IOChannels

@Suite("Operation order")
struct OperationOrderTests {
  private var order = OperationOrder<Int, String>()

  /// An operation or a barrier that began.
  private enum Beginning: Equatable, CustomStringConvertible {
    case operation(Int)
    case barrier(String)

    var description: String {
      switch self {
      case .operation(let number): "operation \(number)"
      case .barrier(let name): "barrier \(name)"
      }
    }
  }

  private mutating func begun() -> [Beginning] {
    var beginnings: [Beginning] = []
    while let step = order.next() {
      switch step {
      case .start(let number): beginnings.append(.operation(number))
      case .runBarrier(let name): beginnings.append(.barrier(name))
      }
    }
    return beginnings
  }

  @Test("Operations of one kind run one after the other")
  mutating func aLineRunsOneAfterTheOther() {
    order.submit(1, on: .reading)
    order.submit(2, on: .reading)
    order.submit(3, on: .writing)
    #expect(begun() == [.operation(1), .operation(3)])
    order.ended(on: .reading)
    #expect(begun() == [.operation(2)])
  }

  @Test("Positioned operations run together up to the bound")
  mutating func positionedOperationsRunTogetherUpToTheBound() {
    let limit = OperationOrder<Int, String>.positionedLimit
    for number in 0..<limit + 2 { order.submit(number, on: .positioned) }
    #expect(begun().count == limit)
    order.ended(on: .positioned)
    #expect(begun() == [.operation(limit)])
  }

  @Test("An operation that runs at once overtakes operations but no barrier")
  mutating func whatIsMadeAtOncePassesOperationsButNoBarrier() {
    let limit = OperationOrder<Int, String>.positionedLimit
    for number in 0..<limit + 1 { order.submit(number, on: .positioned) }
    #expect(begun().count == limit)
    var mayBegin = order.beginAtOnce()
    #expect(mayBegin)
    order.ended(on: .positioned)
    order.submitBarrier("b")
    mayBegin = order.beginAtOnce()
    #expect(!mayBegin, "a barrier waits")
    for _ in 0..<limit { order.ended(on: .positioned) }
    #expect(begun() == [.operation(limit)])
    order.ended(on: .positioned)
    #expect(begun() == [.barrier("b")])
    mayBegin = order.beginAtOnce()
    #expect(!mayBegin, "a barrier runs")
    order.barrierEnded()
    mayBegin = order.beginAtOnce()
    #expect(mayBegin && !order.isIdle)
    order.submit(7, on: .alone)
    mayBegin = order.beginAtOnce()
    #expect(!mayBegin && begun() == [], "what is alone waits")
    order.ended(on: .positioned)
    #expect(begun() == [.operation(7)])
    order.ended(on: .alone)
    #expect(order.isIdle)
    mayBegin = order.beginAtOnce()
    #expect(mayBegin)
  }

  @Test("Only operations that move bytes count as running")
  mutating func onlyWhatMovesBytesRuns() {
    order.submit(1, on: .writing)
    order.submit(2, on: .writing)
    order.submit(3, on: .immediate)
    #expect(begun() == [.operation(1), .operation(3)])
    #expect(order.runningCount == 1)
    order.submit(4, on: .positioned)
    order.submit(5, on: .reading)
    #expect(begun() == [.operation(4), .operation(5)])
    #expect(order.runningCount == 3)
    order.ended(on: .positioned)
    order.ended(on: .writing)
    #expect(order.runningCount == 1)
    #expect(begun() == [.operation(2)])
    #expect(order.runningCount == 2)
  }

  @Test("A barrier separates operations")
  mutating func aBarrierSeparates() {
    order.submit(1, on: .reading)
    order.submit(2, on: .positioned)
    order.submitBarrier("b")
    order.submit(3, on: .positioned)
    #expect(begun() == [.operation(1), .operation(2)])
    order.ended(on: .positioned)
    #expect(begun() == [])
    order.ended(on: .reading)
    #expect(begun() == [.barrier("b")])
    #expect(!order.isIdle)
    order.barrierEnded()
    #expect(begun() == [.operation(3)])
    order.ended(on: .positioned)
    #expect(begun() == [])
    #expect(order.isIdle)
  }

  @Test("Waiting operations delay a barrier")
  mutating func operationsWaitingInALineHoldABarrierBack() {
    order.submit(1, on: .reading)
    order.submit(2, on: .reading)
    order.submitBarrier("b")
    #expect(begun() == [.operation(1)])
    order.ended(on: .reading)
    #expect(begun() == [.operation(2)])
    order.ended(on: .reading)
    #expect(begun() == [.barrier("b")])
  }
}
