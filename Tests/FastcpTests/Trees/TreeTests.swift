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
  @Test("Large files go through the ring with direct I/O", .needs(.loop, .ring))
  func ringCarriesLargeFiles() throws {
    let tree = try SeededTree(files: 200, options: ["--large", "6"])
    let image = try LoopImage(.xfs, megabytes: 320)
    let outcome = try Way.ring.copy(["-a", "--direct", tree.path, "\(image.path)/copy"])
    #expect(outcome.succeeded, "\(outcome)")

    let large = try TreeListing(of: tree.path).fileSizes.filter { $0 > 64 << 10 }
    let totals = try RingTotals(in: outcome)
    #expect(totals.requests > 0)
    #expect(totals.bytesRead == large.reduce(0, +))
    #expect(totals.bytesWritten >= large.reduce(0) { $0 + ($1 - $1 % (1 << 20)) })
    #expect(totals.bytesWritten <= totals.bytesRead)
  }

  @Test(
    "Without a ring nothing goes through it",
    .needs(.loop),
    arguments: [Way.threads, .denied]
  )
  func noRing(way: Way) throws {
    let tree = try SeededTree(files: 40, options: ["--large", "2"])
    let image = try LoopImage(.ext4, megabytes: 64)
    let outcome = try way.copy(["-a", tree.path, "\(image.path)/copy"])
    #expect(outcome.succeeded, "\(outcome)")
    let totals = try RingTotals(in: outcome)
    #expect(totals.requests == 0)
    #expect(totals.bytesRead == 0)
    #expect(totals.bytesWritten == 0)
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
