import FileCopy
import IOChannelsTestSupport
import Testing

/// An exact copy of a tree is the tree.
@Suite("Exact copies of trees")
struct ArchiveTests {
  private static let tree = """
    mkdir -p tree/deep/er tree/closed tree/empty
    for size in 0 1 4095 65535 65536 65537 300000 1048577; do
      head -c $size /dev/urandom > tree/size$size
      head -c $size /dev/urandom > tree/deep/er/size$size
    done
    ln -s size1 tree/link; ln -s nowhere tree/dangling; ln -s .. tree/deep/up
    ln tree/size1 tree/deep/name; ln tree/size1 tree/deep/er/name
    ln tree/size65537 tree/closed/name
    ln -P tree/link tree/deep/same-link
    mkfifo tree/fifo; ln tree/fifo tree/deep/fifo
    truncate -s 3000000 tree/hole
    printf x | dd of=tree/hole bs=1 seek=1000000 conv=notrunc status=none
    truncate -s 1000000 tree/only-hole
    touch tree/$'line\\nfeed' tree/$'\\xff\\xfe' tree/-dash "tree/it's"
    touch "tree/$(printf 'n%.0s' {1..255})"
    chmod 4755 tree/size1; chmod 2711 tree/deep; chmod 1777 tree/empty; chmod 0 tree/size4095
    touch -d '1999-12-31 23:59:59.123456789' tree/size0 tree/deep/er
    touch -h -d '2033-05-18 03:33:20.000000001' tree/link
    touch -d '1969-07-20 20:17:40.5' tree/closed
    chmod 555 tree/closed
    """

  @Test("Everything comes over, whatever the number of jobs", arguments: [1, 2, 8])
  func tree(jobs: Int) throws {
    let place = try CopyPlace()
    try place.shell(ArchiveTests.tree)
    let report = place.copy("tree", to: "copy", jobs: jobs)
    #expect(place.texts(report) == [])
    #expect(try place.differences("tree", "copy") == [])
    #expect(report.fileCount == 23)
    #expect(report.hardLinkCount == 5)
    #expect(report.symbolicLinkCount == 3)
    #expect(report.specialFileCount == 1)
    #expect(report.directoryCount == 5)
  }

  @Test("A second run changes nothing and fails nowhere (T36)")
  func again() throws {
    let place = try CopyPlace()
    try place.shell(ArchiveTests.tree)
    _ = place.copy("tree", to: "copy")
    let report = place.copy("tree", to: "copy", placing: .exactly)
    #expect(place.texts(report) == [])
    #expect(try place.differences("tree", "copy") == [])
    #expect(report.directoryCount == 0)
  }

  @Test("Holes stay holes (T26, T27)")
  func holes() throws {
    let place = try CopyPlace()
    try place.shell(ArchiveTests.tree)
    let report = place.copy("tree", to: "copy")
    #expect(report.methodCounts[.sparse] == 2)
    #expect(try Int(place.stat("copy/hole", "%b")) ?? .max <= 16)
    #expect(try place.stat("copy/only-hole", "%b") == "0")
    // Onto a dense file the holes are made anew.
    try place.shell("head -c 4000000 /dev/urandom > dense")
    #expect(place.copy("tree/hole", to: "dense").isComplete)
    try place.shell("cmp tree/hole dense")
    #expect(try Int(place.stat("dense", "%b")) ?? .max <= 16)
  }

  @Test("Owners and devices come over for the superuser (T13, T35)", .needs(.root))
  func owners() throws {
    let place = try CopyPlace()
    try place.shell(
      """
      mkdir -p tree/sub; echo 1 > tree/sub/file; echo 2 > tree/setid; mknod tree/null c 1 3
      ln -s x tree/link; chown -h 12:34 tree/link tree/setid tree/sub/file; chmod 6755 tree/setid
      chown 56:78 tree/sub tree/null; chmod 2750 tree/sub; mkfifo tree/fifo; chown 9:9 tree/fifo
      """
    )
    let report = place.copy("tree", to: "copy")
    #expect(place.texts(report) == [])
    #expect(try place.differences("tree", "copy") == [])
    #expect(try place.stat("copy/setid", "%a") == "6755")
  }

  @Test("A directory of many files is shared by all jobs")
  func flat() throws {
    let place = try CopyPlace()
    try place.shell("mkdir tree; cd tree; for i in {1..6000}; do echo $i > $i; done")
    let report = place.copy("tree", to: "copy", jobs: 4)
    #expect(report.fileCount == 6000)
    #expect(try place.differences("tree", "copy") == [])
  }

  @Test("Names of one file spread over many directories stay one file (T33)")
  func links() throws {
    let place = try CopyPlace()
    try place.shell(
      """
      mkdir tree; for d in {1..40}; do mkdir tree/$d; done
      for f in {1..50}; do
        echo $f > tree/1/$f; for d in {2..40}; do ln tree/1/$f tree/$d/$f; done
      done
      """
    )
    for jobs in [1, 4] {
      let report = place.copy("tree", to: "copy\(jobs)", jobs: jobs)
      #expect(report.fileCount == 50)
      #expect(report.hardLinkCount == 50 * 39)
      #expect(try place.differences("tree", "copy\(jobs)") == [])
    }
  }

  @Test("A tree deeper than the longest path comes over (T39, T40)")
  func deep() throws {
    let place = try CopyPlace()
    try place.shell(
      """
      mkdir tree; cd tree
      for i in {1..300}; do echo $i > f; d=$(printf 'd%.0s' {1..60}); mkdir $d; cd -P ./$d; done
      """
    )
    let report = place.copy("tree", to: "copy")
    #expect(place.texts(report) == [])
    #expect(report.directoryCount == 301)
    #expect(report.fileCount == 300)
    let names =
      "find . -type f | wc -l; find . -type d | wc -l; find . -type f -exec cat {} + | sort -n"
    #expect(try place.shell("cd tree; \(names)") == place.shell("cd copy; \(names)"))
  }
}
