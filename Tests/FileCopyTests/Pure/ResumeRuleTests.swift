import IOChannelsSystem
import Testing

@testable import FileCopy

/// A copy is found complete by its type, length and time.
@Suite("Rule of resuming")
struct ResumeRuleTests {
  private func status(
    size: Int64 = 10,
    _ modified: FileTime,
    mode: UInt32 = 0o100644
  ) -> FileStatus {
    FileStatus(
      identity: FileIdentity(device: 1, inode: 7),
      mode: mode,
      size: size,
      accessed: FileTime(seconds: 1, nanoseconds: 1),
      modified: modified,
      changed: FileTime(seconds: 1, nanoseconds: 1)
    )
  }

  private let time = FileTime(seconds: 1001, nanoseconds: 123_456_789)

  @Test("Type, length and time must be equal (T51)")
  func complete() {
    let source = status(time)
    #expect(ResumeRule.isComplete(status(time), of: source, timeStep: 1))
    #expect(!ResumeRule.isComplete(status(size: 11, time), of: source, timeStep: 1))
    #expect(!ResumeRule.isComplete(status(time, mode: 0o120777), of: source, timeStep: 1))
    var other = time
    other.nanoseconds -= 1
    #expect(!ResumeRule.isComplete(status(other), of: source, timeStep: 1))
    // A special file is created anew, which takes no time.
    let fifo = status(time, mode: 0o010644)
    #expect(!ResumeRule.isComplete(fifo, of: fifo, timeStep: 1))
  }

  @Test("A time that the destination truncates is equal (T51)")
  func truncated() {
    let source = status(time)
    for step: Int64 in [100, 1000, 1_000_000_000, 2_000_000_000] {
      let stored = status(time.stored(inStepsOf: step))
      #expect(ResumeRule.mayBeComplete(stored, of: source))
      #expect(ResumeRule.isComplete(stored, of: source, timeStep: step))
      #expect(!ResumeRule.isComplete(stored, of: source, timeStep: 1))
    }
  }

  @Test("A doubtful time is accepted for no source, however it is stored (T51)")
  func doubtful() {
    for seconds: Int64 in [0, 1, 1001, -5, .max, .min, .min + 1] {
      let time = FileTime(seconds: seconds, nanoseconds: 999_999_999)
      let doubtful = ResumeRule.doubtfulTime(for: time)
      for step: Int64 in [1, 1_000_000_000, 2_000_000_000] where seconds > -9_000_000_000 {
        let stored = status(doubtful.stored(inStepsOf: step))
        #expect(!ResumeRule.isComplete(stored, of: status(time), timeStep: step), "\(seconds)")
      }
      #expect(!ResumeRule.mayBeComplete(status(doubtful), of: status(time)), "\(seconds)")
    }
  }

  @Test("A source is read after the tick of its last write (T51)")
  func wait() {
    let source = status(time)
    let modified: Int64 = 1001 * 1_000_000_000 + 123_456_789
    func wait(_ age: Int64, isLocal: Bool = true) -> Int64 {
      ResumeRule.wait(before: source, now: modified + age, isLocal: isLocal)
    }
    #expect(wait(0) == ResumeRule.tick)
    #expect(wait(1) == ResumeRule.tick - 1)
    #expect(wait(ResumeRule.tick) == 0)
    // The clock of the times may be ahead of that of the copy by less than a tick.
    #expect(wait(-1) == ResumeRule.tick + 1)
    #expect(wait(-ResumeRule.tick) == 0)
    #expect(wait(ResumeRule.tick, isLocal: false) == 2_000_000_000 - ResumeRule.tick)
    #expect(wait(2_000_000_000, isLocal: false) == 0)
    let far = status(FileTime(seconds: .max, nanoseconds: 5))
    #expect(ResumeRule.wait(before: far, now: modified, isLocal: true) == 0)
  }

  @Test("Times of whole seconds have coarse ticks (T51)")
  func coarse() {
    let whole = FileTime(seconds: 1001, nanoseconds: 0)
    var source = status(whole)
    source.accessed = whole
    source.changed = whole
    let now: Int64 = 1001 * 1_000_000_000 + 500_000_000
    #expect(ResumeRule.wait(before: source, now: now, isLocal: true) == 1_500_000_000)
  }
}
