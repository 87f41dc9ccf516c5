import IOChannelsEngine
import IOChannelsLocks
import IOChannelsSystem
import Testing

@testable import IOChannels

@Suite("State of a descriptor (S135)")
struct DescriptorStateTests {
  private var state = DescriptorState(ownsFile: false)
  private var actions = DescriptorState.Actions()

  private mutating func join(parent: Int? = nil) -> Int {
    let limits = DeliveryLimits(step: 1 << 20)
    return state.join(ChannelState(kind: .stream, limits: limits, parent: parent), &actions)
  }

  @Test("A channel fails with its parent, which is removed before the channel starts")
  mutating func aChannelFailsWithOneThatIsForgottenBeforeItsTurn() {
    let failing = join()
    let between = join()
    let child = join(parent: failing)
    state.examined(.failure(.noMemory), &actions)
    state.forget(failing)
    state.examined(.success(Examination(file: nil, hasPosition: false)), &actions)
    #expect(state.channels[between]?.creationError == nil)
    #expect(state.channels[child]?.creationError == .noMemory)
  }

  @Test("A channel of a failed channel fails")
  mutating func aChannelOfOneThatHasFailedFails() {
    let failing = join()
    _ = join()
    state.examined(.failure(.noMemory), &actions)
    let child = join(parent: failing)
    #expect(state.channels[child]?.creationError == .noMemory)
  }
}
