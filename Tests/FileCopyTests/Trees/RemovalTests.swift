import IOChannelsSystem
import IOChannelsTestSupport
import Synchronization
import Testing

@testable import FileCopy

/// Entries of the destination that the source lacks are removed.
@Suite("Removals", .ends(withinMinutes: 10))
struct RemovalTests {
  private static let tree = """
    mkdir -p s/d/e outside; echo 1 >s/f; echo 2 >s/d/g; ln -s f s/l; echo 3 >s/d/e/h
    touch -d 2001-01-01 s/f s/d/g; echo kept >outside/o; mkdir outside/p
    """

  /// Adds entries that the source lacks to its copy.
  private static let additions = """
    echo 4 >to/gone; mkdir -p to/d/x/y/z; echo 5 >to/d/x/y/z/w; ln -s ../outside to/d/x/out
    ln -s ../../outside to/d/out; mkfifo to/d/e/p; ln to/f to/d/x/f; mkdir to/d/x/empty
    """

  private static func options(
    limit: Int? = nil,
    _ observer: CopyObserver? = nil
  ) -> CopyOptions {
    var options = CopyOptions.archive
    options.deletion.removesExtraneous = true
    options.deletion.limit = limit
    options.observer = observer
    return options
  }

  /// The removed entries that an observer receives.
  private final class Heard: Sendable {
    private let entries = Mutex<[String]>([])

    var lines: [String] { entries.withLock { $0 } }

    func hear(_ event: CopyEvent) {
      guard case .removedExtraneous(let path, let isDirectory) = event else { return }
      let name = path.description.split(separator: "/to/").last.map(String.init) ?? ""
      entries.withLock { $0.append(name + (isDirectory ? "/" : "")) }
    }
  }

  @Test("A copy becomes equal to its source, and nothing else is touched (T57)", arguments: [1, 4])
  func mirror(jobs: Int) throws {
    let place = try CopyPlace()
    try place.shell("\(Self.tree); cp -a s to; \(Self.additions)")
    let outside = try TreeListing(of: place.directory("outside"))
    let removed = [
      "gone", "d/out", "d/e/p", "d/x/", "d/x/f", "d/x/out", "d/x/empty/", "d/x/y/", "d/x/y/z/",
      "d/x/y/z/w",
    ]
    for isDryRun in [true, false] {
      let heard = Heard()
      let observer = CopyObserver(observesOperations: true) { heard.hear($0) }
      var options = Self.options(observer)
      options.isDryRun = isDryRun
      let before = try TreeListing(of: place.directory("to"))
      let report = place.copy("s", to: "to", options, jobs: jobs, placing: .exactly)
      #expect(report.isComplete && report.removedCount == removed.count, "\(report.failures)")
      #expect(Set(heard.lines) == Set(removed) && heard.lines.count == removed.count)
      // The contents of a directory are removed before it.
      let contents = try #require(heard.lines.firstIndex(of: "d/x/y/z/w"))
      let directory = try #require(heard.lines.firstIndex(of: "d/x/"))
      #expect(contents < directory)
      if isDryRun {
        let after = try TreeListing(of: place.directory("to"))
        #expect(after.differences(from: before, ignoring: []) == [])
      }
    }
    #expect(try place.differences("s", "to") == [])
    let after = try TreeListing(of: place.directory("outside"))
    #expect(after.differences(from: outside, ignoring: []) == [])
  }

  @Test("Each operand is mirrored, and other entries beside it stay (T57)")
  func operands() throws {
    let place = try CopyPlace()
    try place.shell("mkdir -p a b to/a to/b to/c; for f in to/{a,b,c}/x to/x; do echo 1 >$f; done")
    try place.shell("echo 1 >a/f; echo 1 >b/f; echo 2 >g")
    let report = FileCopier(Self.options()).report(
      from: ["a", "b", "g"].map(place.path),
      to: place.path("to")
    )
    #expect(report.isComplete && report.removedCount == 2, "\(report.failures)")
    #expect(try place.shell("cd to; find . -type f | sort") == "./a/f\n./b/f\n./c/x\n./g\n./x\n")
  }

  @Test("Without the option, and in a copy that is not recursive, nothing is removed (T57)")
  func notRequested() throws {
    let place = try CopyPlace()
    try place.shell("mkdir s to; echo 1 >s/f; echo 2 >to/x")
    #expect(place.copy("s", to: "to", placing: .exactly).isComplete)
    var options = Self.options()
    options.tree.isRecursive = false
    #expect(!place.copy("s", to: "to", options, placing: .exactly).isComplete)
    #expect(try place.shell("cd to; echo *") == "f x\n")
  }

  @Test(
    "Hidden files of running processes stay, and those of ended ones are removed (T57)",
    arguments: [false, true]
  )
  func hiddenFiles(resumes: Bool) throws {
    let place = try CopyPlace()
    let current = try #require(ProcessIdentity.current)
    let living = HiddenNames.name(1, of: current)
    let ended = ProcessIdentity(host: current.host, number: 0x7fff_fffe, start: 1)
    // Partial files stay until the names are compared.
    let dead = HiddenNames.name(3, of: ended)
    try place.shell(
      "mkdir -p s to/x; echo 1 >s/f; for d in to to/x; do : >$d/\(living); : >$d/\(dead); done"
    )
    var options = Self.options()
    options.existing.resumes = resumes
    let report = place.copy("s", to: "to", options, placing: .exactly)
    #expect(report.isComplete && report.removedCount == 2, "\(report.failures)")
    #expect(
      try place.shell("cd to; find . -type f | LC_ALL=C sort")
        == "./\(living)\n./f\n./x/\(living)\n"
    )
  }

  @Test("Hidden files from before the start of the system are removed (T57)", .needs(.fileSystems))
  func hiddenFilesOfAnotherBoot() throws {
    // On this file system a file changes its status at its modification time, which can be set.
    let mounted = try MountedFileSystem(.exfat, files: [:])
    let place = try CopyPlace(in: mounted.path)
    let current = try #require(ProcessIdentity.current)
    var owner = current
    owner.host ^= 1
    let (old, recent) = (HiddenNames.name(1, of: owner), HiddenNames.name(2, of: owner))
    try place.shell(
      "mkdir s to; echo 1 >s/f; : >to/\(old); : >to/\(recent); touch -d 2001-01-01 to/\(old)"
    )
    var options = CopyOptions()
    options.tree.isRecursive = true
    options.deletion.removesExtraneous = true
    let report = place.copy("s", to: "to", options, placing: .exactly)
    // In a container the machine is not known.
    let isMachineKnown = current.host >> 63 == 1
    let removed = isMachineKnown ? 1 : 0
    #expect(report.isComplete && report.removedCount == removed, "\(report.failures)")
    let left = (isMachineKnown ? "" : "\(old)\n") + "\(recent)\nf\n"
    #expect(try place.shell("ls -A to | LC_ALL=C sort") == left)
  }

  @Test("All entries of a large directory are removed (T57)", arguments: [false, true])
  func largeDirectory(isInside: Bool) throws {
    let place = try CopyPlace()
    let directory = isInside ? "to/x" : "to"
    try place.shell(
      """
      mkdir -p s \(directory); for i in {1..99}; do : >s/n$i; done; cd \(directory)
      seq 70000 | xargs touch
      """
    )
    let count = 70_000 + (isInside ? 1 : 0)
    var options = Self.options()
    options.isDryRun = true
    #expect(place.copy("s", to: "to", options, placing: .exactly).removedCount == count)
    options.isDryRun = false
    let report = place.copy("s", to: "to", options, placing: .exactly)
    #expect(report.isComplete && report.removedCount == count, "\(report.failures)")
    #expect(try place.shell("ls to | wc -l") == "99\n")
  }

  @Test("The depth of removed directories is limited by no descriptors (T57)")
  func deepDirectory() throws {
    let place = try CopyPlace()
    let depth = 600
    try place.shell(
      "mkdir -p s to; echo 1 >s/f; cd to; for i in {1..\(depth)}; do mkdir d; : >f; cd d; done"
    )
    // The first file has a copy.
    let report = place.copy("s", to: "to", Self.options(), jobs: 1, placing: .exactly)
    #expect(report.isComplete && report.removedCount == 2 * depth - 1, "\(report.failures)")
    #expect(try place.shell("ls -A to") == "f\n")
  }

  @Test("The limit allows all entries of a directory or none, and is reported once (T60)")
  func limit() throws {
    for limit in 0...6 {
      let place = try CopyPlace()
      try place.shell("mkdir -p s/d to/d; echo 1 >s/d/f; echo 2 >s/f; cp -a s/. to")
      try place.shell("for f in to/d/{1,2,3} to/{1,2}; do echo 3 >$f; done")
      let options = Self.options(limit: limit)
      let report = place.copy("s", to: "to", options, jobs: 1, placing: .exactly)
      // The inner directory is complete first.
      let removed = limit < 3 ? 0 : limit < 5 ? 3 : 5
      #expect(report.removedCount == removed, "\(limit)")
      #expect(report.fileCount == 2)
      let expected: [CopyError.Reason] = removed == 5 ? [] : [.removalLimit(limit)]
      #expect(report.failures.map(\.reason) == expected, "\(limit)")
      #expect(try place.shell("find to -type f | wc -l") == "\(7 - removed)\n")
    }
  }

  @Test("A source that becomes empty is found after the copy too (T59)", arguments: [false, true])
  func emptySource(isAccepted: Bool) throws {
    let place = try CopyPlace()
    try place.shell("mkdir s to; echo 1 >s/f; echo 2 >to/x")
    var options = Self.options()
    options.deletion.acceptsEmptySources = isAccepted
    let source = place.path("s")
    options.observer = CopyObserver(observesOperations: true) { event in
      if case .copying = event { _ = try? place.shell("rm -f '\(source)/f'") }
    }
    let report = place.copy("s", to: "to", options, placing: .exactly)
    // The file was listed, and its copy fails or not.
    #expect(report.failures.contains { $0.reason == .emptySource } == !isAccepted)
    #expect(try place.shell("ls to | grep -c x || :") == (isAccepted ? "0\n" : "1\n"))
  }

  @Test("After the first failure, if it stops the copy, nothing is removed (T58)")
  func stopped() throws {
    let place = try CopyPlace()
    try place.shell("mkdir s to; echo 1 >s/f; echo 2 >to/f; echo 3 >to/x")
    var options = Self.options()
    options.existing.rule = .failing
    options.stopsAtFailure = true
    let report = place.copy("s", to: "to", options, placing: .exactly)
    #expect(report.isStopped && report.removedCount == 0)
    options.stopsAtFailure = false
    let other = place.copy("s", to: "to", options, placing: .exactly)
    #expect(other.failureCount == 1 && other.removedCount == 1)
    #expect(try place.shell("ls to") == "f\n")
  }

  @Test("A mount point is reported, and the other entries are removed (T57)", .needs(.root))
  func failure() throws {
    let place = try CopyPlace()
    try place.shell("mkdir -p s to/x to/m; echo 1 >s/f; echo 2 >to/x/y; mount -t tmpfs none to/m")
    defer { _ = try? place.shell("umount to/m") }
    try place.shell("echo 3 >to/m/n")
    let report = place.copy("s", to: "to", Self.options(), placing: .exactly)
    #expect(report.removedCount == 2)
    #expect(place.texts(report) == ["cannot remove 'to/m': Device or resource busy"])
    #expect(try place.shell("cd to; find . -type f | sort") == "./f\n./m/n\n")
  }
}
