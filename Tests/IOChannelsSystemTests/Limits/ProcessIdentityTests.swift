import IOChannelsTestSupport
import Testing

@testable import IOChannelsSystem

@Suite("Identities of processes")
struct ProcessIdentityTests {
  @Test("A living process has not ended")
  func aLivingProcessHasNotEnded() throws {
    let this = try #require(ProcessIdentity.current)
    #expect(ProcessIdentity.current == this)
    #expect(!this.hasEnded(seenBy: this))
    let parent = ProcessIdentity(host: this.host, number: 1, start: try start(of: 1))
    #expect(!parent.hasEnded(seenBy: this))
  }

  @Test("A process with another start time had the number before")
  func aProcessOfAnotherStartHadTheNumberBefore() throws {
    let this = try #require(ProcessIdentity.current)
    var earlier = this
    earlier.start -= 1
    #expect(earlier.hasEnded(seenBy: this))
  }

  @Test("A process of another machine has no known state")
  func nobodyKnowsOfProcessesElsewhere() throws {
    let this = try #require(ProcessIdentity.current)
    for number: UInt32 in [0, 1, this.number, 0x7fff_fffe, 0x8000_0001, .max] {
      let other = ProcessIdentity(host: this.host &+ 1, number: number, start: 1)
      #expect(!other.hasEnded(seenBy: this))
    }
    // Such numbers would stand for groups of processes.
    for number: UInt32 in [0, 0x8000_0001, .max] {
      let group = ProcessIdentity(host: this.host, number: number, start: 1)
      #expect(!group.hasEnded(seenBy: this))
    }
  }

  @Test("A process of another boot has the same known machine and another boot (T52)")
  func anotherBoot() {
    func process(_ host: UInt64) -> ProcessIdentity {
      ProcessIdentity(host: host, number: 7, start: 1)
    }
    let this = process(0x8000_0001_0000_0002)
    #expect(process(0x8000_0001_0000_0003).isOfAnotherBoot(than: this))
    #expect(!this.isOfAnotherBoot(than: this))
    #expect(!process(0x8000_0002_0000_0003).isOfAnotherBoot(than: this))
    // The machine of a container is unknown.
    #expect(!process(0x0000_0001_0000_0003).isOfAnotherBoot(than: this))
    #expect(!process(1).isOfAnotherBoot(than: process(2)))
  }

  @Test("A killed process has ended before and after its parent waits")
  func aKilledProcessHasEndedBeforeAndAfterItsParentWaits() throws {
    let this = try #require(ProcessIdentity.current)
    let child = try ChildProcess(["sleep", "100"])
    let number = UInt32(child.identifier)
    let identity = ProcessIdentity(host: this.host, number: number, start: try start(of: number))
    #expect(!identity.hasEnded(seenBy: this))
    child.send(signal: 9)
    var looks = 0
    while !identity.hasEnded(seenBy: this), looks < 2000 {
      _ = try run(["sleep", "0.005"])
      looks += 1
    }
    #expect(identity.hasEnded(seenBy: this))
    #expect(try child.wait().signal == 9)
    #expect(identity.hasEnded(seenBy: this))
  }

  /// When a process started, as `/proc` tells it.
  private func start(of number: UInt32) throws -> UInt64 {
    let text = try runSuccessfully(["cat", "/proc/\(number)/stat"])
    let fields = try #require(text.split(separator: ")").last).split(separator: " ")
    return try #require(UInt64(fields[19]))
  }
}
