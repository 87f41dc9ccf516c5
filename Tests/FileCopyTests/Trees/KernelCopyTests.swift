import IOChannelsEngine
import IOChannelsTestSupport
import Testing

@testable import FileCopy

/// Where the kernel is asked to copy bytes.
@Suite("Copies by the kernel") struct KernelCopyTests {
  @Test(
    "The kernel copies nothing where it would read and write, too",
    .needs(.loop),
    arguments: [LoopImage.Kind.ext4, .xfs, .btrfs]
  )
  func known(kind: LoopImage.Kind) throws {
    let image = try LoopImage(kind, megabytes: 320)
    let place = try CopyPlace(in: image.path)
    try place.shell(
      "head -c 300001 /dev/urandom >f; cp f holes; truncate -s 9M holes; cat f >>holes; sync -f ."
    )
    let file = try openFile(place.path("f").description)
    #expect(!KernelCopyRule.applies(to: FileSystemKind(of: file.borrowed)))
    #expect(place.copy("f", to: "g").methodCounts == [kind == .ext4 ? .stream : .clone: 1])
    #expect(place.copy("holes", to: "parts").methodCounts == [kind == .ext4 ? .sparse : .clone: 1])
    var options = CopyOptions()
    options.contents.clones = .never
    #expect(place.copy("f", to: "h", options).methodCounts == [.stream: 1])
    try place.shell("cmp f g; cmp holes parts; cmp f h")
  }

  @Test(
    "A file system that may share blocks is asked to, also for parts of a file",
    .needs(.root, .fileSystems)
  )
  func others() throws {
    let system = try MountedFileSystem(.overlay, files: ["none": []])
    let place = try CopyPlace(in: system.path)
    try place.shell(
      "head -c 300001 /dev/urandom >f; "
        + "cp f holes; truncate -s 9M holes; cat f >>holes; head -c 70000 f >>holes"
    )
    var options = CopyOptions()
    options.tree.isRecursive = true
    options.contents.verifies = true
    #expect(place.copy("f", to: "g", options).methodCounts == [.kernel: 1])
    #expect(place.copy("holes", to: "parts", options).methodCounts == [.sparse: 1])
    options.contents.clones = .never
    #expect(place.copy("f", to: "h", options).methodCounts == [.stream: 1])
    try place.shell("cmp f g; cmp holes parts; cmp f h")
  }

  /// Where the server does not copy, the kernel would copy what its page cache has.
  @Test("On FUSE the kernel copies nothing", .needs(.fuse), arguments: [false, true])
  func served(isDirect: Bool) throws {
    let system = try FaultFileSystem(isDirect: isDirect, keepsCache: true)
    let place = try CopyPlace(in: system.path)
    try place.shell("head -c 300001 /dev/urandom >f")
    // A page that was evicted would be read from the server, which reads short.
    let file = try openFile(place.path("f").description)
    if !isDirect { try holdPages(of: file.borrowed) }
    try system.setRules("read f 1+ short 4000")
    #expect(place.copy("f", to: "g").methodCounts == [.stream: 1])
    try system.setRules()
    try place.shell("cmp f g")
  }
}
