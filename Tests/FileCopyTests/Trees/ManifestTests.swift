import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@testable import FileCopy

/// Copies that list their files and checksums.
@Suite("Manifests of copies", .ends(withinMinutes: 10))
struct ManifestTests {
  /// A tree with every method of copying, hostile names, holes and links.
  private static let tree = """
    mkdir -p s/d/e s/empty; : >s/none; echo 1 >s/d/small; head -c 300000 /dev/urandom >s/d/large
    head -c 70000 /dev/urandom >s/d/e/medium; truncate -s 9M s/holes; echo x >>s/holes
    truncate -s 3M s/d/tail; head -c 5000 /dev/urandom | dd of=s/d/tail conv=notrunc status=none
    ln s/d/small s/hard; ln s/d/small s/d/e/hard; ln -s d/small s/link; mkfifo s/fifo
    echo 2 >$'s/new\\nline'; echo 3 >'s/back\\slash'; echo 4 >$'s/\\377'; echo 5 >'s/ blank '
    echo 6 >s/d/.hidden; head -c 5M /dev/zero >s/d/zeros
    """

  private func options(
    _ place: CopyPlace,
    _ algorithm: ChecksumAlgorithm = .sha256,
    _ change: (inout CopyOptions) -> Void = { _ in }
  ) -> CopyOptions {
    var options = CopyOptions.archive
    options.manifest = CopyManifest(place.path("m"), algorithm: algorithm)
    change(&options)
    return options
  }

  /// Checks the manifest `m` of a directory with a program, and that it lists all files once.
  private func check(_ place: CopyPlace, _ directory: String, with program: String) throws {
    try place.shell(
      """
      cd '\(directory)'; \(program) --check --strict --quiet ../m
      (find . -type f -printf '%P\\0' | xargs -0 \(program) | LC_ALL=C sort) >../expected
      LC_ALL=C sort ../m | cmp - ../expected
      """
    )
  }

  @Test(
    "Each file is listed under all its names with the checksum of its bytes (T66)",
    arguments: [ChecksumAlgorithm.sha256, .blake2b],
    ["plain", "verified", "no clones", "zeros", "no holes", "atomic", "direct", "resumed", "jobs"]
  )
  func files(algorithm: ChecksumAlgorithm, way: String) throws {
    let place = try CopyPlace()
    try place.shell(Self.tree)
    let options = options(place, algorithm) { options in
      switch way {
      case "verified": options.contents.verifies = true
      case "no clones": options.contents.clones = .never
      case "zeros": options.contents.holes = .always
      case "no holes": options.contents.holes = .never
      case "atomic": options.isAtomic = true
      case "direct": options.contents.direct = .always
      case "resumed": options.existing.resumes = true
      case "jobs": options.jobs = 1
      default: break
      }
    }
    let report = place.copy("s", to: "t", options, jobs: options.jobs)
    #expect(report.isComplete, "\(place.texts(report))")
    #expect(try place.differences("s", "t") == [])
    try check(place, "t", with: algorithm == .sha256 ? "sha256sum" : "b2sum")
    #expect(try place.shell("ls -A") == "expected\nm\ns\nt\n")
  }

  @Test("A copy between file systems and on file systems with clones lists its files (T66)")
  func fileSystems() throws {
    try Need.btrfs.orSkip()
    let image = try LoopImage(.btrfs, megabytes: 200)
    let place = try CopyPlace(in: image.path)
    try place.shell(Self.tree)
    let report = place.copy("s", to: "t", options(place))
    #expect(report.isComplete)
    #expect(report.methodCounts[.clone] ?? 0 > 0)
    try check(place, "t", with: "sha256sum")

    let far = try CopyPlace(in: "/dev/shm")
    let copy = FileCopier(options(far)).report(from: place.path("s"), to: far.path("t"))
    #expect(copy.isComplete)
    try check(far, "t", with: "sha256sum")
  }

  @Test("The default checksum is that of xxhsum (T66)")
  func fastSums() throws {
    let place = try CopyPlace()
    try place.shell("mkdir s; printf a >s/a; : >s/b")
    #expect(place.copy("s", to: "t", options(place, .xxh128)).isComplete)
    #expect(
      try place.shell("sort m")
        == "99aa06d3014798d86001c324468d497f  b\na96faf705af16834e6c632b61e964e1f  a\n"
    )
  }

  @Test(
    "Names are relative to the destination directory, or to the copy with its name (T66)",
    arguments: [
      ("new", CopyPlacement.automatic, "a\n"), ("old", CopyPlacement.automatic, "s/a\n"),
      ("old", CopyPlacement.exactly, "a\n"), ("old", CopyPlacement.intoDirectory, "s/a\n"),
    ]
  )
  func base(destination: String, placement: CopyPlacement, names: String) throws {
    let place = try CopyPlace()
    try place.shell("mkdir s old; echo 1 >s/a")
    let report = place.copy("s", to: destination, options(place), placing: placement)
    #expect(report.isComplete)
    #expect(try place.shell("cut -c 67- m") == names)
    try place.shell("cd \(destination); sha256sum -c --quiet ../m")
  }

  @Test("A single file is listed by its name, and a list in the destination is not listed (T66)")
  func singleFile() throws {
    let place = try CopyPlace()
    try place.shell("mkdir to; echo 1 >f")
    #expect(place.copy("f", to: "g", options(place)).isComplete)
    #expect(try place.shell("cut -c 67- m") == "g\n")
    var inside = CopyOptions.archive
    inside.manifest = CopyManifest(place.path("to/m"))
    #expect(place.copy("f", to: "to", inside).isComplete)
    #expect(try place.shell("cut -c 35- to/m; ls -A to") == "f\nf\nm\n")
  }

  @Test("A source that has the name of an earlier one replaces its line (T66)")
  func laterSources() throws {
    let place = try CopyPlace()
    try place.shell("mkdir -p a/d b/d to; echo 1 >a/d/f; echo 22 >b/d/f; echo 3 >b/d/g")
    let report = FileCopier(options(place)).report(
      from: [place.path("a/d"), place.path("b/d")],
      to: place.path("to")
    )
    #expect(report.isComplete)
    try check(place, "to", with: "sha256sum")
  }

  @Test("Existing files that are kept are read and listed (T66)", arguments: ["resume", "update"])
  func kept(rule: String) throws {
    let place = try CopyPlace()
    try place.shell("\(Self.tree); rm s/fifo")
    let options = options(place) { options in
      options.existing.resumes = rule == "resume"
      options.existing.updatesOnly = rule == "update"
    }
    for _ in 1...2 {
      let report = place.copy("s", to: "t", options, placing: .exactly)
      #expect(report.isComplete, "\(place.texts(report))")
      try check(place, "t", with: "sha256sum")
      try place.shell("echo new >s/d/added; rm m")
    }
  }

  @Test("A list replaces an earlier one, and only a complete one appears (T66)")
  func replaced() throws {
    let place = try CopyPlace()
    try place.shell("mkdir s; echo 1 >s/f; echo old >m; head -c 100000 /dev/zero >s/g")
    var stopping = options(place)
    let monitor = CopyMonitor()
    stopping.observer = CopyObserver(observesOperations: true) { _ in monitor.stop() }
    let stopped = FileCopier(stopping).report(
      from: place.path("s"),
      to: place.path("t"),
      monitor: monitor
    )
    #expect(stopped.isStopped)
    #expect(try place.shell("cat m; ls -A") == "old\nm\ns\nt\n")
    // The lines of all files but the one that failed.
    try place.shell("mkdir -p t/f")
    let failed = place.copy("s", to: "t", options(place), placing: .exactly)
    #expect(failed.failureCount == 1)
    #expect(try place.shell("cut -c 67- m; ls -A") == "g\nm\ns\nt\n")
  }

  @Test(
    "Only a regular file is replaced, and nothing is copied otherwise (T66)",
    arguments: [
      ("ln -s f m", "File exists"), ("mkfifo m", "File exists"), ("mkdir m", "Is a directory"),
      ("ln -s nowhere m", "File exists"),
    ]
  )
  func refused(script: String, reason: String) throws {
    let place = try CopyPlace()
    try place.shell("echo 1 >f; \(script)")
    let report = place.copy("f", to: "g", options(place))
    #expect(place.texts(report) == ["cannot write manifest 'm': \(reason)"])
    #expect(try place.shell("cat f; ls") == "1\nf\nm\n")
  }

  @Test("A manifest in a missing directory is an error before the copy (T66)")
  func missingPlace() throws {
    let place = try CopyPlace()
    try place.shell("echo 1 >f")
    var options = CopyOptions()
    options.manifest = CopyManifest(place.path("no/m"))
    let report = place.copy("f", to: "g", options)
    #expect(place.texts(report) == ["cannot write manifest 'no/m': No such file or directory"])
    #expect(try place.shell("ls") == "f\n")
  }
}
