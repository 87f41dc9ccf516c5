import IOChannelsSystem
import Testing

@testable import FileCopy

/// Destinations are opened, published and discarded without a walk.
@Suite("Destination files")
struct DestinationFilesTests {
  private func scene(_ change: (inout CopyOptions) -> Void = { _ in }) throws -> CopyScene {
    var options = CopyOptions.archive
    change(&options)
    let scene = try CopyScene(options)
    try scene.place.shell("echo new > source/f")
    return scene
  }

  private func files(_ scene: CopyScene) -> DestinationFiles {
    DestinationFiles(scene.context)
  }

  @Test("A file that appears at once has no name before it is published")
  func atOnce() throws {
    let scene = try scene()
    let (item, files) = (scene.item("f"), files(scene))
    let source = try item.openSource()
    var target = try files.open(item, .atOnce, for: source.status)
    try target.file.writeAll(of: source)
    #expect(try scene.place.shell("ls -A destination").allSatisfy(\.isWhitespace))
    #expect(try files.publish(&target, item) == nil)
    #expect(try scene.place.shell("cat destination/f") == "new\n")
    #expect(try scene.place.shell("ls -A destination") == "f\n")
  }

  @Test("A discarded new file leaves no name, a discarded overwritten file keeps its own")
  func discarded() throws {
    let scene = try scene()
    try scene.place.shell("echo old > destination/f; cp source/f source/g")
    let files = files(scene)
    for (name, appearance) in [("g", CopyPlan.Appearance.inPlace), ("f", .overwriting)] {
      let item = scene.item(name)
      let source = try item.openSource()
      var target = try files.open(item, appearance, for: source.status)
      target.discard(item)
    }
    #expect(try scene.place.shell("ls -A destination; cat destination/f") == "f\nold\n")
  }

  @Test("A new file that is discarded leaves a file of its name that replaced it (T33)")
  func replacedName() throws {
    let scene = try scene()
    let item = scene.item("f")
    let source = try item.openSource()
    var target = try files(scene).open(item, .inPlace, for: source.status)
    try scene.place.shell("echo other > destination/.new; mv destination/.new destination/f")
    target.discard(item)
    #expect(try scene.place.shell("ls -A destination; cat destination/f") == "f\nother\n")
  }

  @Test("An atomic copy replaces the existing file and leaves no hidden name")
  func atomic() throws {
    let scene = try scene { $0.isAtomic = true }
    try scene.place.shell("echo old > destination/f; ln destination/f destination/other")
    let (item, files) = (scene.item("f"), files(scene))
    let source = try item.openSource()
    var target = try files.open(item, .inPlace, for: source.status)
    try target.file.writeAll(of: source)
    #expect(try scene.place.shell("cat destination/f") == "old\n")
    #expect(try files.publish(&target, item) == nil)
    let found = try scene.place.shell("cat destination/f destination/other; ls -A destination")
    #expect(found == "new\nold\nf\nother\n")
  }

  @Test("A directory and the source itself are refused")
  func refused() throws {
    let scene = try scene()
    try scene.place.shell("mkdir destination/f; echo x > source/g; ln source/g destination/g")
    let files = files(scene)
    for (name, problem) in [("f", CopyProblem.existingDirectory), ("g", .sameFile)] {
      let item = scene.item(name)
      let source = try item.openSource()
      do throws(CopyError) {
        var target = try files.open(item, .inPlace, for: source.status)
        target.discard(item)
        Issue.record("\(name) was opened")
      } catch {
        #expect(error.problem == problem)
      }
    }
  }
}

extension BorrowedDescriptor {
  fileprivate func writeAll(of source: borrowing SourceFile) throws {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = try source.file.read(into: &bytes)
    _ = try write(bytes, 0..<count)
  }
}
