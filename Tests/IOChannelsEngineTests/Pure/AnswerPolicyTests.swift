import IOChannelsSystem
import Testing

@testable import IOChannelsEngine

@Suite("Answer policy")
struct AnswerPolicyTests {
  private func policy(
    _ error: SystemError,
    attempts: Int = 1,
    isCancelled: Bool = false,
    waitsForPeer: Bool = false
  ) -> AnswerPolicy {
    AnswerPolicy(
      answer: -error.rawValue,
      attempts: attempts,
      isCancelled: isCancelled,
      waitsForPeer: waitsForPeer
    )
  }

  @Test("Results and real errors end a request")
  func resultsAndRealErrorsEndARequest() {
    let moved = AnswerPolicy(
      answer: 7,
      attempts: 1,
      isCancelled: true,
      waitsForPeer: false
    )
    #expect(moved == .end(7))
    #expect(policy(.ioError) == .end(-5))
    #expect(policy(.noSpace, isCancelled: true) == .end(-28))
  }

  @Test("Temporary errors are retried with a bound")
  func errorsThatMeanNotNowAreRepeatedWithABound() {
    for error in [SystemError.interrupted, .canceled, .resourceTemporarilyUnavailable] {
      #expect(policy(error) == .again)
      #expect(policy(error, attempts: AnswerPolicy.attemptLimit) == .reroute)
    }
  }

  @Test("The ring waits for a pipe that is not ready, until a thread does")
  func aPipeThatIsNotReadyIsWaitedForUntilAThreadDoes() {
    func policy(attempts: Int) -> AnswerPolicy {
      self.policy(.resourceTemporarilyUnavailable, attempts: attempts, waitsForPeer: true)
    }
    #expect(policy(attempts: AnswerPolicy.attemptLimit - 1) == .afterReadiness)
    #expect(policy(attempts: AnswerPolicy.attemptLimit) == .reroute)
  }

  @Test("Only a cancelled request ends with ECANCELED")
  func onlyACancelledRequestEndsWithCanceled() {
    #expect(policy(.canceled, isCancelled: true) == .end(-SystemError.canceled.rawValue))
    #expect(policy(.interrupted, isCancelled: true) == .end(-SystemError.canceled.rawValue))
  }

  @Test("Operations that the ring lacks go to threads")
  func whatTheRingCannotDoGoesToThreads() {
    #expect(policy(.notSupported) == .reroute)
    #expect(policy(.invalidArgument) == .end(-22))
  }

  @Test("A peer that stops sending makes no room", arguments: [Direction.read, .write])
  func hangUpIsNoRoom(direction: Direction) {
    func policy(_ states: ReadinessEvents) -> AnswerPolicy {
      AnswerPolicy(states: states, direction: direction)
    }
    #expect(policy(.readHangUp) == (direction == .write ? .reroute : .again))
    #expect(policy([.readHangUp, .hangUp]) == .again)
    #expect(policy([.readHangUp, .writable]) == .again)
    #expect(policy(.failed) == .again)
  }
}
