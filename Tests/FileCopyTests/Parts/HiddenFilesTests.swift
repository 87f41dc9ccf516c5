import IOChannelsSystem
import Testing

@testable import FileCopy

/// Files get a hidden name first, without a walk.
@Suite("Hidden files")
struct HiddenFilesTests {
  @Test(
    "A file that is created again appears complete, and replaces no file (T33)",
    arguments: [false, true]
  )
  func createdAgain(isTaken: Bool) throws {
    let scene = try CopyScene()
    let item = scene.item("k")
    let directory = item.pair.destination
    let files = DestinationFiles(scene.context)
    var failure: SystemError?
    do throws(SystemError) {
      try files.hidden.createAgain(item) { (name) throws(SystemError) in
        try directory.makeSymbolicLink(name, to: "own")
      } complete: { name in
        #expect(item.isMissing)
        #expect((try? directory.status(of: name))?.kind == .symbolicLink)
        if isTaken { try? directory.makeSymbolicLink("k", to: "other") }
      }
    } catch {
      failure = error
    }
    #expect(failure == (isTaken ? .fileExists : nil))
    let found = try scene.place.shell("readlink destination/k; ls -A destination")
    #expect(found == (isTaken ? "other\nk\n" : "own\nk\n"))
  }

  @Test(
    "An unnamed file that is linked appears complete, and replaces no file",
    arguments: [false, true]
  )
  func linked(isTaken: Bool) throws {
    let scene = try CopyScene()
    try scene.place.shell("echo new >source/f")
    let item = scene.item("f")
    let files = DestinationFiles(scene.context)
    let source = try item.openSource()
    var target = try files.open(item, .atOnce, for: source.status)
    _ = try target.file.write(Array("own\n".utf8), 0..<4)
    if isTaken { try scene.place.shell("echo other >destination/f") }
    var failure: SystemError?
    do throws(SystemError) {
      try files.hidden.link(target.file, item)
    } catch {
      failure = error
    }
    target.discard(item)
    #expect(failure == (isTaken ? .fileExists : nil))
    let found = try scene.place.shell("cat destination/f; ls -A destination")
    #expect(found == (isTaken ? "other\nf\n" : "own\nf\n"))
  }
}
