import SystemCalls
import TestSupport
import Testing

@testable import FileCopy

/// One file, copied by several threads that take turns in any order.
@Suite("Relay of pieces") struct PieceRelayTests {
  /// Threads as a model: what each of them is in the middle of.
  private struct Model {
    enum Doing {
      case nothing
      case reading(Int)
      case writing(Int, count: Int)
    }

    var relay: PieceRelay<Int>
    var threads: [Doing]
    /// What is still to be read.
    var source: ArraySlice<Int>
    /// What a piece holds, and what the destination does.
    var held: [Int: Int] = [:]
    var written: [Int] = []
    var hasLeft: Set<Int> = []

    init(source: [Int], pieces: Int, threads: Int) {
      relay = PieceRelay(Array(0..<pieces))
      self.threads = Array(repeating: .nothing, count: threads)
      self.source = source[...]
    }

    var readers: Int { threads.count { if case .reading = $0 { true } else { false } } }
    var writers: Int { threads.count { if case .writing = $0 { true } else { false } } }

    /// One thread begins something or ends what it is in. False when it has to wait.
    mutating func step(_ thread: Int, failing: (PieceRelay<Int>.Part) -> Bool) -> Bool {
      switch threads[thread] {
      case .nothing: return begin(thread)
      case .reading(let piece):
        if failing(.reading) {
          relay.end(.reading, DataFailure(side: .reading, error: .ioError))
        } else if let next = source.popFirst() {
          held[piece] = next
          relay.hasRead(piece, count: next)
        } else {
          relay.end(.reading)
        }
      case .writing(let piece, let count):
        if failing(.writing) {
          relay.end(.writing, DataFailure(side: .writing, error: .noSpace))
        } else {
          written.append(held[piece] ?? -1)
          relay.hasWritten(piece, count: count)
        }
      }
      threads[thread] = .nothing
      return true
    }

    private mutating func begin(_ thread: Int) -> Bool {
      let hasFailed = relay.failure != nil
      let doing = readers + writers
      defer { #expect(!hasFailed || readers + writers == doing, "began after a failure") }
      switch relay.next() {
      case .read(let piece): threads[thread] = .reading(piece)
      case .write(let piece, let count): threads[thread] = .writing(piece, count: count)
      case .park: return false
      case .leave: hasLeft.insert(thread)
      }
      return true
    }
  }

  /// Runs threads in an order that the generator draws, until all have left.
  private func finished(
    _ model: consuming Model,
    _ generator: inout SeededGenerator,
    failing: (PieceRelay<Int>.Part) -> Bool = { _ in false }
  ) -> Model {
    var model = model
    for _ in 0..<10_000 where model.hasLeft.count < model.threads.count {
      let thread = generator.number(in: 0..<model.threads.count)
      if model.hasLeft.contains(thread) { continue }
      _ = model.step(thread, failing: failing)
      #expect(model.readers <= 1 && model.writers <= 1)
      if !model.hasLeft.isEmpty {
        #expect(model.readers + model.writers == 0, "left while another was in the middle")
      }
    }
    #expect(model.hasLeft.count == model.threads.count)
    return model
  }

  @Test("Whatever the order of threads, all is written once and in order", arguments: 1...3)
  func order(threads: Int) {
    var generator = SeededGenerator()
    for _ in 0..<200 {
      let source = (0..<generator.number(in: 0..<12)).map { 100 + $0 }
      let pieces = generator.number(in: 1..<5)
      let model = finished(
        Model(source: source, pieces: pieces, threads: threads),
        &generator
      )
      #expect(model.written == source)
      #expect(model.relay.count == Int64(source.reduce(0, +)))
      #expect(model.relay.failure == nil)
    }
  }

  @Test("Reading goes on beside writing")
  func overlap() {
    var model = Model(source: [1, 2, 3], pieces: 2, threads: 2)
    // One reads and goes on to write; the other reads meanwhile.
    for thread in [0, 0, 0, 1] { #expect(model.step(thread) { _ in false }) }
    #expect(model.readers == 1 && model.writers == 1)
  }

  @Test("Who finds both in other hands waits, and goes on when one is done")
  func waiting() {
    var model = Model(source: [1, 2, 3], pieces: 3, threads: 3)
    for thread in [0, 0, 0, 1] { #expect(model.step(thread) { _ in false }) }
    #expect(!model.step(2) { _ in false })
    #expect(model.step(1) { _ in false })
    #expect(model.step(2) { _ in false })
    #expect(model.readers == 1)
  }

  @Test("After a failure nothing is begun, and the first one counts")
  func failures() {
    var generator = SeededGenerator()
    for _ in 0..<200 {
      let source = (0..<8).map { 100 + $0 }
      var left = generator.number(in: 0..<12)
      var failed: PieceRelay<Int>.Part?
      let model = finished(Model(source: source, pieces: 3, threads: 2), &generator) { part in
        left -= 1
        if left == -1 { failed = part }
        return left == -1
      }
      let sides: [DataFailure.Side] = [.reading, .writing]
      #expect(model.relay.failure?.side == failed.map { sides[$0 == .reading ? 0 : 1] })
      #expect(model.written == Array(source.prefix(model.written.count)))
      // What was under way may still be done, and is counted.
      #expect(model.relay.count == Int64(model.written.reduce(0, +)))
    }
  }

  @Test("Who comes when all is done leaves at once")
  func late() {
    var generator = SeededGenerator(seed: 1)
    var model = finished(Model(source: [5], pieces: 2, threads: 1), &generator)
    model.threads.append(.nothing)
    #expect(model.step(1) { _ in false })
    #expect(model.hasLeft == [0, 1])
  }
}
