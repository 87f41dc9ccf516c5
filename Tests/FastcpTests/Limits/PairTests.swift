import IOChannelsTestSupport
import Testing

/// Between any two file systems, with any of the fast ways denied, the bytes are the same.
@Suite("Pairs of file systems", .needs(.root, .loop, .xfs, .btrfs), .ends(withinMinutes: 20))
struct PairTests {
  /// Calls that are denied: those of one fast way, by number and error.
  private static let denials: [[String]] = [
    [], ["deny=326:38"], ["deny=326:1"], ["deny=16:95"], ["deny=326:18", "deny=16:25"],
    ["uring=1"], ["deny=316:22", "deny=332:38"],
  ]

  @Test("Each way between each two places gives the same tree (F21, T24, T25)")
  func pairs() throws {
    let images = try LoopImage.Kind.allCases.map { kind in
      try LoopImage(kind, megabytes: kind == .ext4 ? 64 : 320)
    }
    let memory = try MemoryFileSystem(kibibytes: 65536)
    let scene = try Scene("mkdir lower upper work merged plain")
    defer { _ = try? scene.shell("umount merged") }
    // On overlay what is above must be on a file system that can hold it; memory can.
    try scene.shell(
      """
      at='\(memory.path)'
      mkdir "$at"/{lower,upper,work}
      options=lowerdir="$at/lower",upperdir="$at/upper",workdir="$at/work"
      mount -t overlay overlay merged -o "$options"
      """
    )
    let tree = try SeededTree(files: 25, options: ["--odd", "--holes", "--large", "1"])
    let wanted = try TreeListing(of: tree.path)
    let places = images.map(\.path) + [memory.path, scene.place("merged")]
    for place in places { try scene.shell("cp -a '\(tree.path)' '\(place)/tree'") }
    var turn = 0
    for source in places {
      for destination in places {
        let some = Tier.current == .full ? Self.denials : [Self.denials[turn % Self.denials.count]]
        turn += 1
        for denial in some {
          let outcome = try scene.copy(
            "-aT",
            "\(source)/tree",
            "\(destination)/copy",
            behind: [BuiltProgram.sandboxrun.path] + denial + ["--"]
          )
          #expect(outcome.succeeded, "\(source) to \(destination), \(denial): \(outcome)")
          let copy = try TreeListing(of: "\(destination)/copy")
          #expect(copy.differences(from: wanted) == [], "\(source) to \(destination), \(denial)")
          try scene.shell("rm -rf '\(destination)/copy'")
        }
      }
    }
  }

  @Test("The kernel's own files, whose sizes lie, come to every file system (F21, T21)")
  func kernelFiles() throws {
    let memory = try MemoryFileSystem(kibibytes: 8192)
    let image = try LoopImage(.xfs, megabytes: 320)
    let scene = try Scene()
    for place in [scene.place.path, memory.path, image.path] {
      for file in ["/proc/version", "/proc/filesystems", "/sys/devices/system/cpu/online"] {
        #expect(try scene.copy(file, "\(place)/copy").succeeded)
        try scene.shell("cat '\(file)' | cmp - '\(place)/copy'")
      }
    }
  }
}
