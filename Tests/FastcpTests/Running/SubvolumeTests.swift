import IOChannelsTestSupport
import Testing

/// Subvolumes of btrfs, which have device numbers of their own but are no mounts.
@Suite("Removals of subvolumes", .needs(.root, .btrfs), .ends(withinMinutes: 10))
struct SubvolumeTests {
  @Test("A subvolume that the source lacks, or has as a file, is removed (T57)")
  func removed() throws {
    let image = try LoopImage(.btrfs, megabytes: 160)
    let scene = try Scene("mkdir s; echo 1 >s/f; echo 2 >s/file; mkdir s/same", in: image.path)
    try scene.shell(
      """
      mkdir to; for v in to/gone to/gone/inner to/file to/same to/mounted; do
        btrfs -q subvolume create $v 2>/dev/null || btrfs subvolume create $v >/dev/null
        mkdir $v/d; echo 3 >$v/d/x
      done
      btrfs subvolume snapshot to/gone to/snapshot >/dev/null
      mount --bind to/mounted to/mounted
      """
    )
    defer { _ = try? scene.shell("umount to/mounted") }
    for option in ["--dry-run", "-v"] {
      let outcome = try scene.copy("-aT", "--delete", option, "s", "to")
      #expect(outcome.status == 1)
      #expect(
        outcome.errorText == "fastcp: cannot remove 'to/mounted': Device or resource busy\n"
      )
      #expect(outcome.outputText.contains("removed directory 'to/gone/inner'\n"))
      #expect(outcome.outputText.contains("removed directory 'to/snapshot'\n"))
    }
    #expect(try scene.shell("cat to/mounted/d/x; umount to/mounted") == "3\n")
    #expect(try scene.copy("-aT", "--delete", "s", "to").succeeded)
    #expect(try scene.differences("to", "s") == [])
  }
}
