import SystemCalls
import Testing

@testable import RequestEngine

@Suite struct AnswerPolicyTests {
  private func policy(
    _ error: Errno,
    attempts: Int = 1,
    isCancelled: Bool = false,
    kind: DescriptorTraits.Kind = .seekable
  ) -> AnswerPolicy {
    AnswerPolicy(
      answer: -error.rawValue,
      attempts: attempts,
      isCancelled: isCancelled,
      kind: kind
    )
  }

  @Test func resultsAndRealErrorsEndARequest() {
    #expect(
      AnswerPolicy(answer: 7, attempts: 1, isCancelled: true, kind: .seekable) == .end(7)
    )
    #expect(policy(.ioError) == .end(-5))
    #expect(policy(.noSpace, isCancelled: true) == .end(-28))
  }

  @Test func errorsThatMeanNotNowAreRepeatedWithABound() {
    for error in [Errno.interrupted, .canceled, .resourceTemporarilyUnavailable] {
      #expect(policy(error) == .again)
      #expect(policy(error, attempts: AnswerPolicy.attemptLimit) == .reroute)
    }
  }

  @Test func aPipeThatIsNotReadyIsWaitedFor() {
    let attempts = AnswerPolicy.attemptLimit + 1
    #expect(
      policy(.resourceTemporarilyUnavailable, attempts: attempts, kind: .pollable)
        == .afterReadiness
    )
  }

  @Test func onlyACancelledRequestEndsWithCanceled() {
    #expect(policy(.canceled, isCancelled: true) == .end(-Errno.canceled.rawValue))
    #expect(policy(.interrupted, isCancelled: true) == .end(-Errno.canceled.rawValue))
  }

  @Test func whatTheRingCannotDoGoesToThreads() {
    #expect(policy(.notSupported) == .reroute)
  }
}
