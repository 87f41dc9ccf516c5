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
    let files = DestinationFiles(scene.context, SupportedOperations())
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
}
