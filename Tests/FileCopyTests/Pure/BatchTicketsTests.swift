import IOChannelsSystem
import Testing

@testable import FileCopy

/// A flush serves the threads that joined before it began.
@Suite("Tickets of a batch")
struct BatchTicketsTests {
  private typealias Tickets = BatchTickets<SystemError>

  /// A short form of a step.
  private func name(_ step: Tickets.Step) -> String {
    switch step {
    case .lead(let members): "lead \(members)"
    case .wait: "wait"
    case .finished(let failure): failure.map { "failed \($0.rawValue)" } ?? "finished"
    }
  }

  @Test("A thread that is alone leads, and the next one begins a new flush (T53)")
  func alone() {
    var tickets = Tickets()
    for _ in 1...3 {
      let ticket = tickets.join()
      #expect(name(tickets.step(of: ticket)) == "lead 1")
      tickets.end(nil)
      #expect(name(tickets.step(of: ticket)) == "finished")
      #expect(tickets.count == 0)
    }
  }

  @Test("A thread that joins during a flush is not served by it (T53)")
  func during() {
    var tickets = Tickets()
    let first = tickets.join()
    #expect(name(tickets.step(of: first)) == "lead 1")
    let later = [tickets.join(), tickets.join()]
    #expect(name(tickets.step(of: later[0])) == "wait")
    tickets.end(nil)
    #expect(name(tickets.step(of: later[1])) == "lead 2")
    #expect(name(tickets.step(of: later[0])) == "wait")
    #expect(name(tickets.step(of: first)) == "finished")
    tickets.end(nil)
    #expect(later.map { name(tickets.step(of: $0)) } == ["finished", "finished"])
    #expect(tickets.count == 0)
  }

  @Test("An error reaches all threads of its flush, however late they look, and no other (T53)")
  func failures() {
    var tickets = Tickets()
    let failing = [tickets.join(), tickets.join()]
    #expect(name(tickets.step(of: failing[0])) == "lead 2")
    let next = tickets.join()
    tickets.end(.ioError)
    #expect(name(tickets.step(of: failing[0])) == "failed 5")
    #expect(name(tickets.step(of: next)) == "lead 1")
    tickets.end(nil)
    #expect(name(tickets.step(of: next)) == "finished")
    #expect(name(tickets.step(of: failing[1])) == "failed 5")
    #expect(tickets.count == 0)
  }
}
