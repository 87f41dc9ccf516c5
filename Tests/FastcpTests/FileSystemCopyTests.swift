import IOChannelsTestSupport
import Testing

/// Copies from and to file systems of all kinds have the bytes that plain reads give.
@Suite("Copies of all file systems")
struct FileSystemCopyTests {
  private static let sizes = [0, 1, 4096, 65_536, 65_537, 300_000, 1 << 20, 5_000_001]

  private static let files = Dictionary(
    uniqueKeysWithValues: sizes.map { ("f\($0)", pattern($0)) }
  )

  private static let options =
    Tier.current == .quick
    ? ["-r", "--sparse=always", "--direct", "--verify"]
    : ["-r", "-a", "--reflink=never", "--sparse=always", "--direct", "--verify", "--atomic", "-f"]

  /// Copies files with each of some options, and compares them with what `cat` reads. What differs
  /// is a line that says whether the copy told so.
  private static let script = """
    fastcp=$0 from=$1 to=$2; shift 2
    mkdir expected
    for option; do
      rm -f "$to"/f*
      for file in "$from"/f*; do cat "$file" >"expected/${file##*/}"; done
      status=0
      "$fastcp" "$option" "$from"/f* "$to" 2>errors || status=$?
      for file in "$from"/f*; do
        name=${file##*/}
        cmp -s "$to/$name" "expected/$name" && continue
        told=silent
        grep -q "$name'" errors && told=told
        echo "$option: $name: $told, $(stat -c %s "$to/$name" "expected/$name" 2>&1 | xargs)"
      done
      [ $status = 0 ] || echo "$option: status $status: $(head -n 1 errors)"
    done
    """

  /// What differs in copies from one directory to another one.
  private func differences(
    from: String,
    to: String,
    backend: String,
    options: [String] = FileSystemCopyTests.options
  ) throws -> [Substring] {
    let place = try TemporaryDirectory()
    let text = try runSuccessfully(
      ["bash", "-c", FileSystemCopyTests.script, BuiltProgram.fastcp.path, from, to] + options,
      environment: ["IOCHANNELS_BACKEND": backend, "LC_ALL": "C"],
      directory: place.path,
      timeout: .seconds(120)
    )
    return text.split(separator: "\n")
  }

  @Test(
    "Files of each file system, to another one",
    .needs(.root, .fileSystems),
    arguments: MountedFileSystem.Kind.allCases,
    ["auto", "threads"]
  )
  func outOf(kind: MountedFileSystem.Kind, backend: String) throws {
    try kind.need.orSkip()
    let system = try MountedFileSystem(kind, files: FileSystemCopyTests.files)
    let place = try TemporaryDirectory(in: "/dev/shm")
    #expect(try differences(from: system.path, to: place.path, backend: backend) == [])
  }

  @Test(
    "Files to each file system, from another one",
    .needs(.root, .fileSystems),
    arguments: MountedFileSystem.Kind.allCases.filter { !$0.isReadOnly },
    ["auto", "threads"]
  )
  func into(kind: MountedFileSystem.Kind, backend: String) throws {
    try kind.need.orSkip()
    let system = try MountedFileSystem(kind, files: ["none": []])
    let place = try TemporaryDirectory(in: "/dev/shm")
    for (name, bytes) in FileSystemCopyTests.files { try place.write(bytes, to: name) }
    let found = try differences(from: place.path, to: system.path, backend: backend)
    // Some keep no modes or owners, which `-a` reports.
    #expect(found.filter { !$0.hasPrefix("-a: status") } == [])
  }

  @Test(
    "Names of one file stay together where each name has its own inode number (T33, T36)",
    .needs(.root, .fileSystems)
  )
  func namesWithInodes() throws {
    let system = try MountedFileSystem(.sshfs, files: [:])
    let scene = try Scene(
      """
      mkdir s; for i in 1 2 3; do echo $i >s/$i; ln s/$i s/a$i; done; ln s/3 s/b3
      touch -d 2001-02-03 s/* s
      """
    )
    for _ in 1...3 {
      let outcome = try scene.copy("-aT", "s", "\(system.path)/t")
      #expect(outcome.succeeded && outcome.errors.isEmpty, "\(outcome)")
      #expect(try scene.differences("s", "\(system.behind)/t") == [])
    }
  }

  @Test("Pieces have the length that a server prefers", .needs(.fuse), arguments: [false, true])
  func pieces(prefersLong: Bool) throws {
    let system = try FaultFileSystem(isDirect: true, prefersLong: prefersLong)
    let place = try TemporaryDirectory(in: "/dev/shm")
    try runSuccessfully(["sh", "-c", "cat >\"$0\"", "\(system.behind)/f"], input: pattern(1 << 23))
    let count = 8 * (prefersLong ? 1 : 4)
    try system.setRules("read f 1+ delay 0", "write * 1+ delay 0")
    for (source, destination) in [
      ("\(system.path)/f", place("f")), (place("f"), "\(system.path)/g"),
    ] {
      let outcome = try run([BuiltProgram.fastcp.path, "--jobs=1", source, destination])
      #expect(outcome.succeeded, "\(outcome)")
    }
    let uses = system.uses()
    // One more read shows the end.
    #expect(uses.count { $0.hasPrefix("read") } == count + 1)
    #expect(uses.count { $0.hasPrefix("write") } == count)
  }

  /// A server of FUSE may leave the page cache out, keep pages, read short and name wrong lengths.
  @Test(
    "Servers that read short and name wrong lengths never lose bytes in silence",
    .needs(.fuse),
    arguments: FaultFileSystem.Sizes.allCases,
    ["auto", "threads"]
  )
  func lies(sizes: FaultFileSystem.Sizes, backend: String) throws {
    let all = [(false, false), (false, true), (true, false), (true, true)]
    for (isDirect, keepsCache) in Tier.current == .full ? all : [(false, false), (true, true)] {
      // Whether the kernel shows zeros behind the end is chance then, with plain calls, too.
      if sizes == .larger, !isDirect { continue }
      let system = try FaultFileSystem(isDirect: isDirect, keepsCache: keepsCache, sizes: sizes)
      let place = try TemporaryDirectory(in: "/dev/shm")
      for size in [1, 8000, 65_537, 300_000, 2_500_000] {
        let path = "\(system.behind)/f\(size)"
        try runSuccessfully(["sh", "-c", "cat >\"$0\"", path], input: pattern(size))
      }
      // Without direct I/O no server may read short.
      for rule in isDirect ? ["", "read * 1+ short 4000"] : [""] {
        try system.setRules(rule)
        let found = try differences(from: system.path, to: place.path, backend: backend)
        let what = "direct \(isDirect), kept \(keepsCache), rule \(rule)"
        #expect(found.filter { $0.contains(": silent,") } == [], "\(what)")
        if sizes == .exact { #expect(found == [], "\(what)") }
      }
    }
  }
}
