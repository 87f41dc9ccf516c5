import IOChannels
import IOChannelsSystem
import IOChannelsTestSupport
import Testing

@testable import FileCopy

/// Copies to several destinations at the same time.
@Suite("Several destinations", .ends(withinMinutes: 10))
struct DestinationsTests {
  /// A tree with every method of copying, holes, links and attributes.
  private static let tree = """
    mkdir -p s/d/e s/empty; : >s/none; for i in {1..50}; do echo $i >s/d/$i; done
    head -c 3000000 /dev/urandom >s/d/large; head -c 70000 /dev/urandom >s/d/e/medium
    truncate -s 9M s/holes; echo x >>s/holes
    truncate -s 3M s/d/tail; head -c 300000 /dev/urandom | dd of=s/d/tail conv=notrunc status=none
    ln s/d/1 s/hard; ln s/d/large s/d/e/hard; ln -s d/1 s/link; mkfifo s/fifo
    chmod 640 s/d/2; chmod 750 s/d; touch -d 2001-02-03T04:05:06.789 s/d/3 s/d/large s/d/e
    setfattr -n user.a -v 1 s/d/4 2>/dev/null || true
    """

  /// Copies `s` to `t` and `u` of the place, and to `t` of another file system.
  private func copy(
    _ place: CopyPlace,
    _ far: CopyPlace,
    _ options: CopyOptions
  ) -> CopyReport {
    var options = options
    options.furtherDestinations = [place.path("u"), far.path("t")]
    return place.copy("s", to: "t", options, jobs: options.jobs, placing: .exactly)
  }

  @Test(
    "Each destination has the same tree, whatever the options are (T72)",
    arguments: [
      "plain", "no clones", "verified", "zeros", "no holes", "atomic", "durable", "synced", "paced",
      "dropped", "limited", "one job", "resumed", "listed",
    ]
  )
  func trees(way: String) throws {
    let (place, far) = (try CopyPlace(), try CopyPlace(in: "/dev/shm"))
    try place.shell(Self.tree)
    var options = CopyOptions.archive
    switch way {
    case "no clones": options.contents.clones = .never
    case "verified": options.contents.verifies = true
    case "zeros": options.contents.holes = .always
    case "no holes": options.contents.holes = .never
    case "atomic": options.isAtomic = true
    case "durable": options.durability = .everyFile
    case "synced": options.durability = .atEnd
    case "paced": options.contents.limitsUnwrittenData = true
    case "dropped": options.contents.dropsCache = true
    case "limited": options.contents.byteRate = 100_000_000
    case "one job": options.jobs = 1
    case "resumed": options.existing.resumes = true
    case "listed": options.manifest = CopyManifest(place.path("m"), algorithm: .sha256)
    default: break
    }
    for _ in 1...2 {
      let report = copy(place, far, options)
      #expect(report.isComplete, "\(place.texts(report))")
      for copy in ["t", "u"] { #expect(try place.differences("s", copy) == []) }
      let listing = try TreeListing(of: far.directory("t"))
      let differences = try TreeListing(of: place.directory("s")).differences(
        from: listing,
        ignoring: [.allocated, .attributes]
      )
      #expect(differences == [])
    }
    if way == "listed" {
      for copy in [place.directory("t"), place.directory("u"), far.directory("t")] {
        let manifest = place.directory("m")
        try place.shell("cd '\(copy)'; sha256sum --check --strict --quiet '\(manifest)'")
      }
    }
  }

  @Test("The report has the sums, and a report of each destination (T73)")
  func report() throws {
    let (place, far) = (try CopyPlace(), try CopyPlace(in: "/dev/shm"))
    try place.shell("mkdir s; for i in {1..9}; do head -c 1000 /dev/zero >s/$i; done")
    var options = CopyOptions.archive
    options.contents.verifies = true
    options.countsAhead = true
    let monitor = CopyMonitor()
    options.furtherDestinations = [place.path("none/u"), far.path("t")]
    let report = FileCopier(options).report(
      from: place.path("s"),
      to: place.path("t"),
      placing: .exactly,
      monitor: monitor
    )
    let parts = report.destinations
    #expect(parts.map(\.path) == [place.path("t")] + options.furtherDestinations)
    #expect(parts.map(\.report.fileCount) == [9, 0, 9])
    #expect(parts.map(\.report.isComplete) == [true, false, true])
    #expect(parts.map(\.report.verifiedFileCount) == [9, 0, 9])
    #expect(report.fileCount == 18 && report.byteCount == 18_000 && report.failureCount == 1)
    #expect(report.failures.map(\.path) == [place.path("none/u")])
    #expect(monitor.progress.byteCount == 18_000 && monitor.progress.isFinished)
    let expected = monitor.progress.expectedByteCount
    // The destination that cannot be opened gets no files.
    #expect(expected == 18_000 || !monitor.progress.isCounted, "\(expected)")
    #expect(try place.differences("s", "t") == [])
    // A copy to one destination has no such list.
    #expect(place.copy("s", to: "v").destinations.isEmpty)
  }

  @Test("A problem of a source is received once, and concerns each destination (T73)")
  func problems() throws {
    let place = try CopyPlace()
    try place.shell("echo 1 >f; mkdir t u")
    let received = HeardProblems()
    var options = CopyOptions()
    options.observer = CopyObserver { received.hear($0) }
    options.furtherDestinations = [place.path("u")]
    let report = FileCopier(options).report(
      from: [place.path("none"), place.path("f")],
      to: place.path("t")
    )
    #expect(received.problems == [.status])
    #expect(report.destinations.map(\.report.failureCount) == [1, 1])
    #expect(try place.shell("cat t/f u/f") == "1\n1\n")
  }

  private static let refusals: [(String, String, CopyPlacement, String)] = [
    ("t", "t", .exactly, "destinations 't' and 't' are the same"),
    ("t", "./t/", .automatic, "destinations 't' and './t/' are the same"),
    ("new", "new/", .exactly, "destinations 'new' and 'new/' are the same"),
    ("t", "link", .automatic, "destinations 't' and 'link' are the same"),
    ("t", "t/in", .exactly, "destination 't/in' must not be inside destination 't'"),
    ("t/in/new", "t", .exactly, "destination 't/in/new' must not be inside destination 't'"),
    ("t", "s/d/new", .exactly, "destination 's/d/new' must not be inside source 's'"),
    ("t", "s", .exactly, "destination 's' must not be inside source 's'"),
  ]

  @Test(
    "Destinations that meet each other or a source are refused, and nothing is changed (T74)",
    arguments: refusals
  )
  func refused(first: String, second: String, placement: CopyPlacement, text: String) throws {
    let place = try CopyPlace()
    try place.shell("mkdir -p s/d t/in; echo 1 >s/d/f; ln -s t link")
    let before = try place.shell("find . | sort")
    for isDryRun in [false, true] {
      var options = CopyOptions.archive
      options.isDryRun = isDryRun
      options.furtherDestinations = [place.path(second)]
      let report = place.copy("s", to: first, options, placing: placement)
      #expect(place.texts(report) == [text])
      #expect(report.failures.map(\.reason) == [.overlappingDestinations])
      #expect(try place.shell("find . | sort") == before)
    }
  }

  @Test("One file as two destinations is refused, and two names in a directory are not (T74)")
  func files() throws {
    let place = try CopyPlace()
    try place.shell("echo 1 >f; echo 2 >g; ln g h")
    var options = CopyOptions()
    options.furtherDestinations = [place.path("h")]
    let refused = place.copy("f", to: "g", options)
    #expect(place.texts(refused) == ["destinations 'g' and 'h' are the same"])
    options.furtherDestinations = [place.path("j")]
    #expect(place.copy("f", to: "i", options).isComplete)
    #expect(try place.shell("cat g h i j") == "2\n2\n1\n1\n")
  }

  @Test("Two destinations with links to one file write it one after the other (T72)")
  func linkedFiles() throws {
    let place = try CopyPlace()
    try place.shell(
      """
      mkdir s t u; head -c 2000000 /dev/urandom >s/f; head -c 2000000 /dev/urandom >s/g
      echo old >t/f; ln t/f u/g
      """
    )
    var options = CopyOptions.recursive
    // Both destinations have both files in progress at the same time.
    options.contents.byteRate = 4_000_000
    options.contents.clones = .never
    options.contents.verifies = true
    options.furtherDestinations = [place.path("u")]
    let report = place.copy("s", to: "t", options, jobs: 2, placing: .exactly)
    #expect(report.isComplete, "\(place.texts(report))")
    try place.shell("cmp s/g t/g; cmp s/f u/f; cmp s/f t/f || cmp s/g t/f; cmp t/f u/g")
  }

  @Test("Destinations on one file system share its free space (T72)", .needs(.root))
  func space() throws {
    let small = try MemoryFileSystem(kibibytes: 1024)
    let place = try CopyPlace()
    try place.shell("mkdir s; head -c 600000 /dev/urandom | split -b 20000 - s/")
    for copies in [1, 2] {
      let heard = HeardProblems()
      var options = CopyOptions.recursive
      options.jobs = 1
      options.observer = CopyObserver { heard.hear($0) }
      options.furtherDestinations = copies == 1 ? [] : [BytePath("\(small.path)/u")]
      let target = BytePath("\(small.path)/t")
      let report = FileCopier(options).report(from: place.path("s"), to: target)
      #expect(report.isComplete == (copies == 1))
      if case .littleSpace(let needed, let free)? = heard.problems.first {
        #expect(copies == 2 && needed >= 1_200_000 && free <= 1 << 20)
      } else {
        #expect(copies == 1, "\(heard.problems)")
      }
      try place.shell("rm -rf \(small.path)/*")
    }
  }

  @Test("A source stays in the page cache if it was there before all destinations read it")
  func cachedSources() throws {
    let place = try CopyPlace()
    // An empty file has no byte in memory.
    try place.shell(": >f")
    let file = try place.opened("f")
    let identity = try file.borrowed.status().identity
    let sources = CachedSources()
    let isKept = sources.begin(file.borrowed, identity)
    #expect(!isKept)
    try place.shell("echo hello >f")
    let isKeptBySecond = sources.begin(file.borrowed, identity)
    #expect(!isKeptBySecond)
    sources.end(identity)
    let isKeptByThird = sources.begin(file.borrowed, identity)
    #expect(!isKeptByThird)
    for _ in 1...2 { sources.end(identity) }
    let isKeptAgain = sources.begin(file.borrowed, identity)
    #expect(isKeptAgain)
  }

  @Test("Links of the source to the destinations do not let the copies grow (T5, T74)")
  func followedLinks() throws {
    let place = try CopyPlace()
    try place.shell("mkdir s t u; ln -s ../t s/t; ln -s ../u s/u; echo 1 >s/f")
    var options = CopyOptions.recursive
    options.tree.following = .everything
    options.furtherDestinations = [place.path("u")]
    let report = place.copy("s", to: "t", options, placing: .exactly)
    #expect(report.failureCount == 4)
    #expect(report.failures.allSatisfy { $0.problem == .intoItself }, "\(place.texts(report))")
    #expect(try place.shell("cat t/f u/f") == "1\n1\n")
  }

  @Test("A stop ends the copy to every destination, and leaves no partial file (F14)")
  func stopped() async throws {
    let place = try CopyPlace()
    try place.shell("mkdir s; head -c 3000000 /dev/urandom >s/f")
    var options = CopyOptions.archive
    options.contents.clones = .never
    options.contents.byteRate = 1000
    options.furtherDestinations = [place.path("u")]
    let report = await place.copyStopped("s", to: "t", options)
    #expect(report.isStopped)
    #expect(report.destinations.map(\.report.isStopped) == [true, true])
    #expect(try place.shell("find . -path ./s -prune -o -type f -print") == "")
  }

  @Test("A file is read by one destination and taken by the others, also while it is read (T72)")
  func sharedReads() throws {
    let source = SharedSource(destinations: 3)
    let place = try CopyPlace(in: "/dev/shm")
    // The next write gets another time.
    try place.shell("echo hello >f; sleep 0.02")
    let file = try place.opened("f")
    let status = try file.borrowed.status()
    let readers = (1...3).compactMap { _ in source.reader(of: file.borrowed, status) }
    try #require(readers.count == 3)
    #expect(readers[0].bytes(at: 0) == nil)
    let data: DataBuffer = [1, 2, 3]
    for region in data.regions { readers[0].note(region.bytes) }
    #expect(readers[1].bytes(at: 0)?.count == 3)
    #expect(readers[2].bytes(at: 0)?.count == 3)
    #expect(readers[1].bytes(at: 3) == nil)
    readers[1].noteFailure()
    #expect(readers[2].bytes(at: 3) == nil)
    let directory = try BorrowedDescriptor.workingDirectory.status(of: "/dev")
    let isShared = source.reader(of: file.borrowed, directory) != nil
    #expect(!isShared)
  }
}
