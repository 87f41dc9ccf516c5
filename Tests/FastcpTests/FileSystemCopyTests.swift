import TestSupport
import Testing

/// Copies from and to file systems of all kinds have the bytes that plain reads give.
@Suite("Copies of all file systems")
struct FileSystemCopyTests {
  private static let sizes = [0, 1, 4096, 65_536, 65_537, 300_000, 1 << 20, 5_000_001]

  private static let files = Dictionary(
    uniqueKeysWithValues: sizes.map { ("f\($0)", pattern($0)) }
  )

  /// Copies files with each of some options, and compares them with what `cat` reads.
  private static let script = """
    fastcp=$0 from=$1 to=$2 into=$3
    for options in -r -a --reflink=never --sparse=always --direct --verify --atomic -f; do
      for file in "$from"/f*; do
        name=$(basename "$file")
        rm -f "$into/$name"
        cat "$file" >expected
        status=0
        "$fastcp" $options "$file" "$to/$name" 2>errors || status=$?
        cmp -s "$into/$name" expected && [ $status = 0 ] && continue
        echo "$options $file: status $status, $(stat -c %s "$into/$name") bytes:" $(cat errors)
      done
    done
    """

  private func failures(from: String, to: String, into: String? = nil, backend: String) throws
    -> String
  {
    let place = try TemporaryDirectory()
    return try runSuccessfully(
      ["bash", "-c", FileSystemCopyTests.script, BuiltProgram.fastcp.path, from, to, into ?? to],
      environment: ["IOCHANNELS_BACKEND": backend, "LC_ALL": "C"],
      directory: place.path,
      timeout: .seconds(120)
    )
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
    #expect(try failures(from: system.path, to: place.path, backend: backend) == "")
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
    let found = try failures(from: place.path, to: system.path, backend: backend)
    // These keep no modes or owners, which `-a` reports.
    let lines = found.split(separator: "\n").filter { !$0.hasPrefix("-a ") }
    #expect(lines == [])
  }

  /// A server of FUSE may leave the page cache out, keep pages, read short and name wrong lengths.
  @Test(
    "Servers that read short and name wrong lengths never lose bytes in silence",
    .needs(.fuse),
    arguments: FaultFileSystem.Sizes.allCases,
    ["auto", "threads"]
  )
  func lies(sizes: FaultFileSystem.Sizes, backend: String) throws {
    for (isDirect, keepsCache) in [(false, false), (false, true), (true, false), (true, true)] {
      let system = try FaultFileSystem(isDirect: isDirect, keepsCache: keepsCache, sizes: sizes)
      let place = try TemporaryDirectory(in: "/dev/shm")
      for size in [1, 8000, 65_537, 300_000, 2_500_000] {
        let path = "\(system.behind)/f\(size)"
        try runSuccessfully(["sh", "-c", "cat >\"$0\"", path], input: pattern(size))
      }
      for rule in ["", "read * 1+ short 4000"] {
        try system.setRules(rule)
        let found = try failures(from: system.path, to: place.path, backend: backend)
        // A copy that says that it is none is no silent loss: the length is told at the end as well.
        let silent = found.split(separator: "\n").filter { $0.contains("status 0") }
        #expect(silent == [], "direct \(isDirect), kept \(keepsCache), rule \(rule)")
        if sizes == .exact { #expect(found == "") }
      }
    }
  }
}
