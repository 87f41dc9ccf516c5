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
    let step: Int64

    init(answer: Bool = true, step: Int64 = 1) {
      self.answer = answer
      self.step = step
    }

    private func record(_ step: String) { steps.withLock { $0.append(step) } }

    func createDirectory(_ item: CopyItem, for source: FileStatus) -> Bool { false }
    func openDirectory(_ item: CopyItem, isNew: Bool) throws(CopyError) -> OpenedDestination {
      throw CopyError(.status, item.sourcePath, .ioError)
    }
    func complete(_ directory: CopyDirectory, _ worker: CopyWorker) {}
    func copy(_ item: CopyItem, kind: FileKind) { record("copy") }
    func keep(
      _ item: CopyItem,
      _ found: FileStatus,
      for source: FileStatus,
      updatesMetadata: Bool
    ) -> Bool {
      record(updatesMetadata ? "keep and describe" : "keep")
      return true
    }
    func remove(_ item: CopyItem) { record("remove") }
    func backUp(_ item: CopyItem, _ naming: BackupNaming) -> BytePath? {
      record("back up")
      return "f~"
    }
    func restoreBackup(of item: CopyItem) { record("restore") }
    func timeStep(of found: FileStatus, _ item: CopyItem) -> Int64 {
      record("time step")
      return step
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

  @Test("A copy with the length and time of its source is kept, and any other is copied (T51)")
  func complete() throws {
    func steps(_ script: String) throws -> [String] {
      var options = CopyOptions.archive
      options.existing.resumes = true
      let scene = try CopyScene(options)
      try scene.place.shell("echo a >source/f; touch -d @6.5 source/f; sleep 0.02; \(script)")
      let recorder = Recorder()
      EntryCopier(scene.context, recorder).copy(scene.item("f"), kind: .regular)
      return recorder.steps.withLock { $0 }
    }
    #expect(try steps("echo b >destination/f; touch -d @6.5 destination/f") == ["keep"])
    #expect(try steps("echo bb >destination/f; touch -d @6.5 destination/f") == ["copy"])
    #expect(try steps("echo b >destination/f; touch -d @8 destination/f") == ["copy"])
    #expect(
      try steps("echo a >destination/f; chmod 600 destination/f; touch -d @6.5 destination/f")
        == ["keep and describe"]
    )
    // A file with another name does not change in place.
    #expect(
      try steps(
        "echo a >destination/f; ln destination/f destination/g; touch -d @6.5 destination/f"
      ) == ["keep"]
    )
    // The destination might store even seconds only.
    let coarse = try steps("echo b >destination/f; touch -d @6 destination/f")
    #expect(coarse == ["time step", "copy"])
    #expect(try steps("mkdir destination/f").last != "keep")
  }

  @Test("A file with truncated times is kept only if its bytes are those of its source (T51)")
  func coarse() throws {
    func steps(_ script: String, _ change: (inout CopyOptions) -> Void = { _ in }) throws
      -> [String]
    {
      var options = CopyOptions.archive
      options.existing.resumes = true
      change(&options)
      let scene = try CopyScene(options)
      try scene.place.shell(
        "printf 12345 >source/f; touch -d @7.5 source/f; sleep 0.02; \(script)"
      )
      let recorder = Recorder(step: 2_000_000_000)
      EntryCopier(scene.context, recorder).copy(scene.item("f"), kind: .regular)
      return recorder.steps.withLock { $0 }
    }
    let time = "touch -d @6 destination/f"
    #expect(try steps("printf 12345 >destination/f; \(time)") == ["time step", "keep"])
    #expect(try steps("printf 12346 >destination/f; \(time)") == ["time step", "copy"])
    // A file that is not replaced keeps its metadata.
    let closed = "printf 12345 >destination/f; chmod 600 destination/f; \(time)"
    #expect(try steps(closed) == ["time step", "keep and describe"])
    #expect(try steps(closed) { $0.existing.rule = .never } == ["time step", "keep"])
    // The bytes of a file with exactly the same time count only if copies are verified.
    let exact = "printf 12346 >destination/f; touch -d @7.5 destination/f"
    #expect(try steps(exact) == ["keep"])
    #expect(try steps(exact) { $0.contents.verifies = true } == ["copy"])
  }

  @Test("A newer file that is the start of its source is not protected by -u (T51)")
  func partial() throws {
    func steps(_ bytes: String) throws -> [String] {
      var options = CopyOptions.archive
      options.existing.resumes = true
      options.existing.updatesOnly = true
      let scene = try CopyScene(options)
      try scene.place.shell(
        "printf 12345 >source/f; touch -d @6 source/f; printf '\(bytes)' >destination/f"
      )
      let recorder = Recorder()
      EntryCopier(scene.context, recorder).copy(scene.item("f"), kind: .regular)
      return recorder.steps.withLock { $0 }
    }
    #expect(try steps("123") == ["copy"])
    #expect(try steps("") == ["copy"])
    for newer in ["124", "12346", "123456"] { #expect(try steps(newer) == ["keep"]) }
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
