import IOChannelsSystem
import Synchronization
import Testing

@testable import FileCopy

/// Decisions about existing files call the effects that they need, and no others.
@Suite("Conflict resolver")
struct ConflictResolverTests {
  /// Records the steps that a copy would take.
  private final class Recorder: CopyEffects {
    let steps = Mutex<[String]>([])
    let examinesFirst = true
    let answer: Bool

    init(answer: Bool = true) {
      self.answer = answer
    }

    private func record(_ step: String) { steps.withLock { $0.append(step) } }

    func createDirectory(_ item: CopyItem, for source: FileStatus) -> Bool { false }
    func openDirectory(_ item: CopyItem, isNew: Bool) throws(CopyError) -> OpenedDestination {
      throw CopyError(.status, item.sourcePath, .ioError)
    }
    func complete(_ directory: CopyDirectory, _ worker: CopyWorker) {}
    func copy(_ item: CopyItem, kind: FileKind) { record("copy") }
    func keep(_ item: CopyItem, for source: FileStatus) { record("keep") }
    func remove(_ item: CopyItem) { record("remove") }
    func backUp(_ item: CopyItem, _ naming: BackupNaming) -> BytePath? {
      record("back up")
      return "f~"
    }
    func restoreBackup(of item: CopyItem) { record("restore") }
    func timeStep(of found: FileStatus, _ item: CopyItem) -> Int64 {
      record("time step")
      return 1
    }
    func confirms(_ item: CopyItem, over found: FileStatus) -> Bool {
      record("ask")
      return answer
    }
  }

  /// Copies `f`, which is newer than the existing file, and returns the steps.
  private func steps(
    answer: Bool = true,
    _ change: (inout CopyOptions) -> Void
  ) throws -> [String] {
    var options = CopyOptions.archive
    change(&options)
    let scene = try CopyScene(options)
    try scene.place.shell("echo a > source/f; echo b > destination/f; touch -d @5 destination/f")
    let recorder = Recorder(answer: answer)
    EntryCopier(scene.context, recorder).copy(scene.item("f"), kind: .regular)
    return recorder.steps.withLock { $0 }
  }

  @Test("Each option takes its own steps")
  func options() throws {
    #expect(try steps { _ in } == ["copy"])
    #expect(try steps { $0.existing.rule = .never } == [])
    #expect(try steps { $0.existing.rule = .ask } == ["ask", "copy"])
    #expect(try steps(answer: false) { $0.existing.rule = .ask } == ["ask"])
    #expect(try steps { $0.existing.removesBeforeOpening = true } == ["remove", "copy"])
    #expect(try steps { $0.existing.backup = BackupNaming(.simple) } == ["back up", "copy"])
    #expect(try steps { $0.existing.updatesOnly = true } == ["time step", "copy"])
  }

  @Test("A name with a new source and no existing file takes no step but the copy")
  func noConflict() throws {
    let scene = try CopyScene()
    try scene.place.shell("echo a > source/f")
    let recorder = Recorder()
    EntryCopier(scene.context, recorder).copy(scene.item("f"), kind: .regular)
    #expect(recorder.steps.withLock { $0 } == ["copy"])
  }

  @Test("An existing file as new as its source is kept as the copy")
  func kept() throws {
    var options = CopyOptions.archive
    options.existing.updatesOnly = true
    let scene = try CopyScene(options)
    try scene.place.shell("echo a > source/f; echo b > destination/f; touch -d @5 source/f")
    let recorder = Recorder()
    EntryCopier(scene.context, recorder).copy(scene.item("f"), kind: .regular)
    #expect(recorder.steps.withLock { $0 } == ["keep"])
  }
}
