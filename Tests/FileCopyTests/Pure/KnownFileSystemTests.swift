import IOChannelsSystem
import Testing

@testable import FileCopy

/// The facts about file systems, which all pairs of directories share.
@Suite("Known file systems")
struct KnownFileSystemTests {
  @Test("A refusal is remembered for the pair, or for the file, or is an error (T25)")
  func cloneRefusals() {
    for error: SystemError in [.notSupported, .inappropriateIOCTLForDevice, .improperLink] {
      let systems = KnownFileSystems()
      let pair = systems.pair(1, 2)
      #expect(pair.clones == .unknown)
      #expect(pair.noteFailedClone(error))
      #expect(systems.pair(1, 2).clones == .refused && systems.pair(2, 1).clones == .unknown)
      // Another thread may have been refused a moment before.
      pair.noteClone()
      #expect(pair.clones == .refused)
    }
    let pair = KnownFileSystems().pair(1, 2)
    #expect(pair.noteFailedClone(.invalidArgument))
    #expect(pair.clones == .shared)
    for error: SystemError in [.ioError, .noMemory, .noSpace, .quotaExceeded] {
      #expect(!pair.noteFailedClone(error))
      #expect(pair.clones == .shared)
    }
  }

  @Test("Pairs with the same device share its facts")
  func shared() {
    let systems = KnownFileSystems()
    systems.system(2).withAnswers { $0.setsModes = false }
    #expect(systems.pair(1, 2).destination.withAnswers { $0.setsModes } == false)
    #expect(systems.pair(2, 1).source === systems.pair(3, 2).destination)
    #expect(systems.pair(1, 2).source.withAnswers { $0.setsModes } == nil)
  }

  @Test("The table has a bound, and works beyond it")
  func bound() {
    let systems = KnownFileSystems()
    for device in 0...UInt64(KnownFileSystems.limit) { systems.pair(device, 0).noteClone() }
    #expect(systems.pair(0, 0).clones == .shared)
    let beyond = systems.pair(UInt64(KnownFileSystems.limit), 0)
    #expect(beyond.clones == .unknown && beyond.destination === systems.system(0))
  }
}
