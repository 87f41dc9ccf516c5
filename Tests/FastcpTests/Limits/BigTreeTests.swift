import IOChannelsTestSupport
import Testing

/// Trees that are deep, wide or strange.
@Suite("Big and strange trees", .ends(withinMinutes: 30))
struct BigTreeTests {
  @Test("A path longer than the system's limit, and 900 levels with few descriptors (T39, T40, F6)")
  func deep() throws {
    // Three parts that a path can name make one that none can.
    let scene = try Scene(
      """
      levels=$(printf 'directory/%.0s' {1..300}); mkdir tree; cd tree
      for i in 1 2 3; do echo $i >f; mkdir -p $levels; cd -P $levels; done; echo end >f
      """
    )
    let outcome = try scene.copy(
      "-a",
      "tree",
      "copy",
      behind: [BuiltProgram.sandboxrun.path, "nofile=256", "--"]
    )
    #expect(outcome.succeeded, "\(outcome.errorText.prefix(300))")
    #expect(try scene.differences("copy", "tree") == [])
    // The installed tools cannot remove what no path leads to, unless they go down step by step.
    try scene.shell("rm -rf copy tree")
  }

  @Test("A directory below 500,000 levels is an error, as memory is bounded (T40)", .needs(.full))
  func deeperThanTheLimit() throws {
    let scene = try Scene(in: "/dev/shm")
    // A shell would look for the name of each directory.
    try scene.shell(
      "mkdir tree; cd tree; perl -e 'for (1..501000) { mkdir \"d\" and chdir \"d\" or die }'",
      timeout: .seconds(600)
    )
    let outcome = try scene.copy("-r", "tree", "copy", timeout: .seconds(1200))
    #expect(outcome.status == 1 && outcome.errorText.utf8.count < 1 << 21)
    #expect(outcome.errorText.hasSuffix(": File name too long\n"))
    let levels = try scene.shell(
      "cd copy; perl -e '$count++ while chdir \"d\"; print \"$count\\n\"'",
      timeout: .seconds(600)
    )
    // The tree is a level as well.
    #expect(levels == "499999\n")
    try scene.shell("rm -rf copy tree", timeout: .seconds(600))
  }

  @Test("A directory of many files needs little memory (T40)", .ends(withinMinutes: 30))
  func wide() throws {
    let count = Tier.count(quick: 10_000, full: 1_000_000)
    let scene = try Scene(in: "/dev/shm")
    try scene.shell(
      "mkdir tree; cd tree; seq \(count) | xargs -n 5000 touch -d 2001-01-01",
      timeout: .seconds(600)
    )
    let outcome = try scene.copy(
      "-a",
      "tree",
      "copy",
      behind: [BuiltProgram.sandboxrun.path, "peak=1", "--"],
      timeout: .seconds(1200)
    )
    #expect(outcome.succeeded)
    let peak = outcome.errorText.split(separator: " ").last?.split(separator: "\n").first
    #expect(peak.flatMap { Int($0) } ?? .max < 64 << 10, "\(outcome)")
    let difference = try scene.shell(
      "diff <(ls -U1 tree | sort) <(ls -U1 copy | sort) | wc -l; ls -U1 copy | wc -l",
      timeout: .seconds(600)
    )
    #expect(difference == "0\n\(count)\n")
    try scene.shell("rm -rf copy tree", timeout: .seconds(600))
  }

  @Test("Where a file takes no further link, a copy begins anew (T33)", .needs(.full, .loop))
  func manyLinks() throws {
    // ext4 gives a file 65,000 names; the memory file system gives more.
    let memory = try MemoryFileSystem(kibibytes: 65536)
    let image = try LoopImage(.ext4, megabytes: 64)
    let scene = try Scene(
      """
      mkdir tree; cd tree; mkdir 0; echo content >0/0
      for i in {1..250}; do ln 0/0 0/$i; done
      for i in {1..262}; do cp -al 0 $i; done
      """,
      in: memory.path
    )
    let outcome = try scene.copy("-a", "tree", "\(image.path)/tree", timeout: .seconds(120))
    #expect(outcome.succeeded, "\(outcome.errorText.prefix(300))")
    let counts = try scene.shell(
      """
      cd '\(image.path)/tree'; find . -type f | wc -l
      find . -type f -printf '%i %n\\n' | sort -u | awk '{ print $2 }' | sort -n
      """
    )
    let numbers = counts.split(separator: "\n").compactMap { Int($0) }
    #expect(numbers.first == 66_013 && numbers.last == 65_000)
    // Each worker that finds the file full at the same time begins one anew: eight at most.
    #expect(numbers.dropFirst().reduce(0, +) == 66_013 && numbers.count <= 2 + 8, "\(counts)")
  }

  @Test("A verified file of 15 TiB keeps its holes (T26, T27)", .needs(.xfs, .loop))
  func sparse() throws {
    // On a smaller one blocks are so small that no file can be as long.
    let image = try LoopImage(.ext4, megabytes: 600)
    let other = try LoopImage(.xfs, megabytes: 320)
    let scene = try Scene(
      """
      truncate -s 15T huge
      for at in 0 4096 1048576000 8796093022208 16492674416000; do
        printf 'some bytes' | dd of=huge bs=1 seek=$at conv=notrunc status=none
      done
      """,
      in: image.path
    )
    for destination in ["copy", "\(other.path)/copy"] {
      let outcome = try scene.copy("--verify", "huge", destination)
      #expect(outcome.succeeded, "\(outcome)")
      let sizes = try scene.shell("stat -c '%s %b' huge '\(destination)'").split(separator: "\n")
      // Blocks of data are 8 each; what ext4 counts for its own lists xfs does not.
      #expect(sizes[0].hasPrefix("16492674416640 ") && sizes[1].hasPrefix("16492674416640 "))
      #expect(sizes[0].split(separator: " ").last.flatMap { Int($0) } ?? 0 < 400, "\(sizes)")
      #expect(sizes[1].split(separator: " ").last.flatMap { Int($0) } ?? 0 < 400, "\(sizes)")
      for at in [0, 4096, 1_048_576_000, 8_796_093_022_208, 16_492_674_416_000] {
        let part = "dd if='\(destination)' bs=1 skip=\(at) count=12 status=none | tr '\\0' .; echo"
        #expect(try scene.shell(part).hasPrefix("some bytes"))
      }
    }
  }

  @Test(
    "Names of 255 bytes, with line breaks and not in UTF-8 come over (T37, T38)",
    .needs(.root, .fuse)
  )
  func names() throws {
    let scene = try Scene(
      #"""
      mkdir tree; cd tree; long=$(printf 'n%.0s' {1..255})
      head -c 200000 /dev/urandom >$long; echo a >$'line\nbreak'; echo b >$'\xff\xfe'
      head -c 100000 /dev/urandom >$'\xe9'; echo c >-dash; echo d >$'\x1b[31m'; echo e >' '
      mkdir $'dir\n\xff'; echo f >$'dir\n\xff/file'; ln -s $'\xff' link; echo g >'*'
      """#
    )
    // The second place needs hidden names beside the long one.
    let faulty = try FaultFileSystem()
    for destination in ["copy", "\(faulty.path)/copy"] {
      let outcome = try scene.copy("-a", "tree", destination)
      #expect(outcome.succeeded, "\(outcome)")
      #expect(try scene.differences(destination, "tree") == [])
    }
  }
}
