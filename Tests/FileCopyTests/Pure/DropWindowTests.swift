import Testing

@testable import FileCopy

/// The ranges of a growing file that are written back behind its copy.
@Suite("Windows of write-back")
struct DropWindowTests {
  @Test("A complete window is written back, and the one before it is awaited (T56)")
  func order() {
    var window = DropWindow(length: 100)
    #expect(window.advance(to: 99) == nil)
    #expect(window.advance(to: 120) == DropWindow.Step(written: 0..<120, dropped: 0..<0))
    #expect(window.advance(by: 99) == nil)
    #expect(window.unsubmitted == 120..<219)
    #expect(window.unawaited == 0..<120)
    #expect(window.advance(by: 1) == DropWindow.Step(written: 120..<220, dropped: 0..<120))
    #expect(window.unsubmitted.isEmpty)
    #expect(window.unawaited == 120..<220)
  }

  @Test("An offset behind a hole counts, and an earlier offset changes nothing (T56)")
  func holes() {
    var window = DropWindow(length: 100)
    #expect(window.advance(to: 1000) == DropWindow.Step(written: 0..<1000, dropped: 0..<0))
    #expect(window.advance(to: 10) == nil)
    #expect(window.unsubmitted.isEmpty)
  }

  @Test("Of small files, the one that completes a window is awaited (T56)")
  func smallFiles() {
    let files = PacedWriteBack.SmallFiles()
    let part = PacedWriteBack.windowLength / 4
    for _ in 1...3 { #expect(!files.add(part)) }
    #expect(files.add(part))
    #expect(!files.add(part))
  }
}
