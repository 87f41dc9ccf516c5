import IOChannelsTestSupport
import Testing

/// A copied tree is the tree, whatever carries the bytes.
@Suite("Copied trees")
struct TreeTests {
  private let strange = ["--odd", "--large", "4"]

  @Test("A tree is equal on the same file system", arguments: Way.allCases)
  func sameFileSystem(way: Way) throws {
    let tree = try SeededTree(files: 400, options: strange + ["--holes"])
    let target = try TemporaryDirectory()
    let outcome = try way.copy(["-a", tree.path, target("copy")])
    #expect(outcome.succeeded, "\(outcome)")
    let copy = try TreeListing(of: target("copy"))
    #expect(copy.differences(from: try TreeListing(of: tree.path)) == [])
  }

  @Test("A tree is equal on another file system", .needs(.loop), arguments: Way.allCases)
  func otherFileSystem(way: Way) throws {
    let tree = try SeededTree(files: 400, options: strange + ["--holes"])
    let image = try LoopImage(.ext4, megabytes: 128)
    let outcome = try way.copy(["-a", tree.path, "\(image.path)/copy"])
    #expect(outcome.succeeded, "\(outcome)")
    let copy = try TreeListing(of: "\(image.path)/copy")
    #expect(copy.differences(from: try TreeListing(of: tree.path)) == [])
  }

  /// To xfs: on ext4 threads carry out lone writes.
  @Test(
    "Large files go through the ring with direct I/O, if there is one",
    .needs(.loop),
    arguments: Way.allCases
  )
  func direct(way: Way) throws {
    let tree = try SeededTree(files: 40, options: ["--large", "6"])
    let image = try LoopImage(.xfs, megabytes: 320)
    let place = try TemporaryDirectory()
    let outcome = try way.copy(
      ["-a", "--direct", tree.path, "\(image.path)/copy"],
      behind: ["strace", "-f", "-qq", "-o", place("log"), "-e", "trace=io_uring_enter"]
    )
    #expect(outcome.succeeded, "\(outcome)")
    let calls = try runSuccessfully(["cat", place("log")])
    #expect(calls.isEmpty == (way != .ring))
  }

  @Test("The source is left as it was")
  func sourceIsUntouched() throws {
    let tree = try SeededTree(files: 100, options: strange)
    let target = try TemporaryDirectory()
    let before = try TreeListing(of: tree.path)
    #expect(try Way.threads.copy(["-a", tree.path, target("copy")]).succeeded)
    #expect(try TreeListing(of: target("copy")).entries.count == before.entries.count)
    #expect(try TreeListing(of: tree.path).differences(from: before, ignoring: []) == [])
  }

  @Test("The system's own files are equal", .needs(.full, .loop), arguments: Way.allCases)
  func systemFiles(way: Way) throws {
    let image = try LoopImage(.ext4, megabytes: 16384)
    let outcome = try way.copy(
      ["-a", "/usr/share", "\(image.path)/copy"],
      timeout: .seconds(600)
    )
    #expect(outcome.succeeded, "\(outcome)")
    let copy = try TreeListing(of: "\(image.path)/copy")
    #expect(copy.differences(from: try TreeListing(of: "/usr/share")) == [])
  }
}
