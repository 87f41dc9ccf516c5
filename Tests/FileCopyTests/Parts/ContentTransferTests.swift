import IOChannelsSystem
import Testing

@testable import FileCopy

/// The transfer of bytes and the metadata of one file, without a walk.
@Suite("Transfer of one file")
struct ContentTransferTests {
  private func copy(
    _ scene: CopyScene,
    _ name: String
  ) throws -> (method: CopyMethod, count: Int64) {
    let item = scene.item(name)
    let files = DestinationFiles(scene.context)
    let transfer = ContentTransfer(scene.context, SpaceCheck(scene.context))
    let metadata = MetadataWriter(scene.context)
    let source = try item.openSource()
    let systems = item.systems(ofDevice: source.status.identity.device)
    let plan = CopyPlan(transfer.facts(of: source, on: systems, item.job.way))
    var target = try files.open(item, plan.appearance, for: source.status)
    let pair = transfer.filePair(source, target, plan, item)
    let result = try #require(try transfer.copy(pair, plan, item))
    metadata.describe(target, item, from: source)
    #expect(try files.publish(&target, item) == nil)
    return result
  }

  @Test("A small file takes one read and one write, and keeps its mode and times")
  func small() throws {
    let scene = try CopyScene()
    try scene.place.shell("echo hello > source/f; chmod 640 source/f; touch -d @77 source/f")
    let (_, count) = try copy(scene, "f")
    #expect(count == 6)
    #expect(try scene.place.shell("cat destination/f") == "hello\n")
    #expect(try scene.place.stat("destination/f", "%a %Y") == "640 77")
    #expect(scene.worker.report.failures == [])
  }

  @Test("Holes are counted and stay holes")
  func sparse() throws {
    var options = CopyOptions.archive
    options.contents.clones = .never
    let scene = try CopyScene(options)
    try scene.place.shell("truncate -s 1M source/f; echo x >> source/f")
    let (method, count) = try copy(scene, "f")
    #expect(method == .sparse)
    #expect(count == 1 << 20 + 2)
    #expect(scene.worker.report.holeByteCount >= 1_000_000)
    #expect(try scene.place.shell("cmp source/f destination/f") == "")
  }
}
