import IOChannelsTestSupport
import Testing

/// Blocks that are shared, and holes that are kept, made or filled.
@Suite("Blocks of copies")
struct SharingTests {
  /// 10 MiB, of which 1 MiB in the middle is data and 1 MiB behind it is written zeros; 4 MiB
  /// without holes; and something small.
  private static let files = """
    truncate -s 10M s; head -c 1048576 /dev/urandom >r
    dd if=r of=s bs=1M seek=5 conv=notrunc status=none
    dd if=/dev/zero of=s bs=1M seek=8 count=1 conv=notrunc status=none
    cat r r r r >dense; head -c 100 r >small; : >empty; { head -c 20000 /dev/zero; cat small; } >few
    sync -f .; b() { sync "$@"; stat -c %b "$@"; }
    """

  private func shell(
    _ script: String,
    in base: String?,
    _ way: Way = .ring
  ) throws -> [String] {
    let place = try TemporaryDirectory(in: base)
    let outcome = try run(
      ["bash", "-ec", "{ \(SharingTests.files)\n\(script)\n} 2>&1", BuiltProgram.fastcp.path],
      environment: [
        "LC_ALL": "C", "IOCHANNELS_BACKEND": way == .threads ? "threads" : nil,
        "PATH": "/usr/sbin:/sbin:/usr/bin:/bin",
      ],
      directory: place.path
    )
    let lines = outcome.outputText.split(separator: "\n").map { String($0) }
    guard outcome.succeeded else { throw TestFailure("\(outcome)") }
    return lines
  }

  /// Whether as many blocks are there as bytes say, but for a few of the file system's own.
  private func holds(_ blocks: String, kibibytes: Int) -> Bool {
    Int(blocks).map { abs($0 - 2 * kibibytes) <= 64 } ?? false
  }

  @Test(
    "Holes are kept, made of zeros, or filled (T26, T28)",
    arguments: CopyBase.inTier,
    [Way.ring, .threads]
  )
  func holes(base: CopyBase, way: Way) throws {
    try base.use { path in
      for (when, sizes) in [("auto", [2048, 20]), ("always", [1024, 4]), ("never", [10240, 20])] {
        let blocks = try shell(
          """
          "$0" --sparse=\(when) s s2; "$0" --sparse=\(when) few few2; cmp s s2; cmp few few2
          cat r >old; cat s s >>old; "$0" --sparse=\(when) s old; cmp s old; b s2 few2 old
          "$0" --sparse=\(when) empty e2; stat -c %s e2
          """,
          in: path,
          way
        )
        #expect(blocks.count == 4 && blocks[3] == "0", "\(when) \(blocks)")
        #expect(holds(blocks[0], kibibytes: sizes[0]), "\(when) \(blocks)")
        #expect(blocks[1] == "\(sizes[1] * 2)" || base != .disk, "\(when) \(blocks)")
        #expect(holds(blocks[2], kibibytes: sizes[0]), "\(when) \(blocks)")
      }
    }
  }

  @Test(
    "xfs keeps no preallocated blocks in holes (T26)",
    .needs(.xfs),
    arguments: [Way.ring, .threads]
  )
  func preallocation(way: Way) throws {
    let image = try LoopImage(.xfs, megabytes: 320)
    let other = try TemporaryDirectory(in: "/dev/shm")
    let lines = try shell(
      """
      for i in {0..20}; do dd if=r of=p bs=1M seek=$((3 * i)) conv=notrunc status=none; done
      truncate -s 70M p; cp p \(other("p")); cat p >old
      "$0" --reflink=never p p2; "$0" --reflink=never p old; "$0" \(other("p")) p3
      cat p | "$0" --sparse=always /dev/stdin p4
      cmp p p2; cmp p old; cmp p p3; cmp p p4; b p2 old p3 p4
      """,
      in: image.path,
      way
    )
    #expect(lines.count == 4)
    for blocks in lines { #expect(holds(blocks, kibibytes: 21 << 10), "\(lines)") }
  }

  @Test("Holes cross file systems as requested (T26)", arguments: [Way.ring, .threads])
  func holesElsewhere(way: Way) throws {
    let other = try TemporaryDirectory(in: "/dev/shm")
    for (when, size) in [("auto", 2048), ("always", 1024), ("never", 10240)] {
      let blocks = try shell(
        "\"$0\" --sparse=\(when) s \(other("s")); cmp s \(other("s")); b \(other("s"))",
        in: nil,
        way
      )
      #expect(holds(blocks[0], kibibytes: size), "\(when) \(blocks)")
    }
  }

  @Test("Holes are made of what comes through a pipe, and none in a device (T21, T26)")
  func pipes() throws {
    let lines = try shell(
      """
      cat s | "$0" --sparse=always /dev/stdin s2; cmp s s2; b s2
      "$0" --sparse=always s /dev/null; "$0" --sparse=always /proc/version v
      cmp /proc/version v
      """,
      in: nil
    )
    #expect(lines.count == 1 && holds(lines[0], kibibytes: 1024), "\(lines)")
  }

  @Test("A hole that cannot be made fails the file (T28)", arguments: ["auto", "always"])
  func refusedHole(when: String) throws {
    let lines = try shell(
      "(ulimit -f 9500; \"$0\" --sparse=\(when) s s2) || echo $?; ls s2 2>/dev/null || echo none",
      in: nil
    )
    #expect(lines == ["fastcp: failed to extend 's2': File too large", "1", "none"])
  }

  @Test("Reserved space reads as zeros in the copy (T29)", arguments: CopyBase.inTier)
  func reserved(base: CopyBase) throws {
    try base.use { path in
      for options in ["", "--reflink=never", "--sparse=never", "--sparse=always"] {
        let lines = try shell(
          """
          fallocate -l 3M p; printf x | dd of=p bs=1 seek=1000000 conv=notrunc status=none
          : >q; fallocate -n -l 4M q; "$0" \(options) p p2; cmp p p2; "$0" \(options) q q2
          stat -c %s q2
          """,
          in: path
        )
        #expect(lines == ["0"])
      }
    }
  }

  @Test("Without clones --reflink=always fails and leaves nothing new (T25)", .needs(.loop))
  func refusedClone() throws {
    let image = try LoopImage(.ext4, megabytes: 64)
    let other = try TemporaryDirectory(in: "/dev/shm")
    let lines = try shell(
      """
      echo kept >old; for f in s small empty; do "$0" --reflink=always $f new || echo $?
        "$0" --reflink=always $f old || echo $?; cat old; done; ls
      "$0" --reflink=always s \(other("new")) || echo $?; ls -A \(other.path)
      """,
      in: image.path
    )
    let failures = ["s", "small", "empty"].flatMap { name in
      [
        "fastcp: failed to clone 'new' from '\(name)': Operation not supported", "1",
        "fastcp: failed to clone 'old' from '\(name)': Operation not supported", "1", "kept",
      ]
    }
    #expect(Array(lines.prefix(15)) == failures)
    #expect(!lines.contains("new"))
    #expect(
      lines.suffix(2) == [
        "fastcp: failed to clone '\(other("new"))' from 's': Invalid cross-device link", "1",
      ]
    )
  }

  @Test(
    "Clones share their blocks, and none are shared that must not be (T24, T25)",
    .needs(.full, .loop, .xfs, .btrfs),
    arguments: [CopyBase.xfs, .btrfs]
  )
  func clones(base: CopyBase) throws {
    let shared = "shared() { sync $1; filefrag -v $1 | grep -q shared && echo shared || echo own; }"
    try base.use { path in
      for (options, result) in [
        ("", "shared"), ("--reflink=auto", "shared"), ("--reflink", "shared"),
        ("--reflink=never", "own"), ("--sparse=always", "own"), ("--sparse=never", "own"),
      ] {
        let lines = try shell(
          """
          \(shared); "$0" \(options) dense d2; cmp dense d2; shared d2
          "$0" \(options) s s2; cmp s s2; shared s2; cat dense dense >old; "$0" \(options) s old
          cmp s old
          """,
          in: path
        )
        #expect(lines == [result, result], "\(options)")
      }
      let odd = try shell(
        """
        \(shared); { cat dense; echo end; } >odd; { cat odd dense; } >old
        "$0" --reflink=always odd old; cmp odd old; shared old
        "$0" --reflink=always small new; cmp small new; "$0" --reflink=always empty new2; ls new2
        """,
        in: path
      )
      #expect(odd == ["shared", "new2"])
    }
  }

  @Test("A copy ends while the source's extents change (T27)", arguments: ["auto", "always"])
  func changingExtents(when: String) throws {
    let lines = try shell(
      """
      : >run; (while [ -e run ]; do fallocate -p -o 5M -l 512K s; truncate -s 9M s
        truncate -s 10M s
        dd if=r of=s bs=64K seek=80 count=8 conv=notrunc status=none; done) 2>/dev/null &
      trap 'rm -f run' EXIT
      for i in 1 2 3 4 5 6 7 8; do e=0; timeout 20 "$0" --sparse=\(when) s s2 2>>said || e=$?
        [ $e -lt 2 ] || echo "ended with $e" >>said; done
      rm run; wait
      grep -v 'was changed while being copied' said || echo nothing else; stat -c %s s2
      """,
      in: nil
    )
    #expect(lines.first == "nothing else", "\(lines)")
    #expect(lines.count == 2)
  }
}
