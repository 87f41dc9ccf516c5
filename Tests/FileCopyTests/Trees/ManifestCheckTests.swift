import IOChannelsSystem
import IOChannelsTestSupport
import Synchronization
import Testing

@testable import FileCopy

/// Comparisons of directories with manifests.
@Suite("Comparisons with manifests", .ends(withinMinutes: 10))
struct ManifestCheckTests {
  /// A comparison with its findings, sorted by their texts.
  private func check(
    _ place: CopyPlace,
    _ directory: String = "t",
    jobs: Int? = nil
  ) throws -> (report: ManifestReport, findings: [String]) {
    let found = Mutex<[String]>([])
    let checker = ManifestChecker(jobs: jobs) { finding in
      found.withLock { $0.append("\(finding)") }
    }
    let report = try checker.compareAndWait(place.path(directory), with: place.path("m"))
    return (report, found.withLock { $0.sorted() })
  }

  private func text(_ finding: ManifestFinding) -> String { "\(finding)" }

  /// A tree of 62 files and its manifest.
  private func tree(_ program: String = "sha256sum") throws -> CopyPlace {
    let place = try CopyPlace()
    try place.shell(
      """
      mkdir -p t/a/b t/c; for i in {1..20}; do echo $i | tee t/$i t/a/b/$i >t/c/$i; done
      head -c 3000000 /dev/urandom >t/large; : >t/a/none
      cd t; find . -type f -printf '%P\\0' | xargs -0 \(program) >../m
      """
    )
    return place
  }

  @Test(
    "A directory equals its manifest, read by any number of threads (T67)",
    arguments: [1, 2, 16],
    ["sha256sum", "b2sum"]
  )
  func equal(jobs: Int, program: String) throws {
    let place = try tree(program)
    let (report, findings) = try check(place, jobs: jobs)
    #expect(report.isEqual)
    #expect(report.equalCount == 62)
    #expect(report.byteCount > 3_000_000)
    #expect(findings == [])
  }

  @Test("Missing, changed and extra files are found, each by its path (T67)")
  func differences() throws {
    let place = try tree()
    try place.shell(
      """
      cd t; rm a/b/3; rm -r c; echo x >>a/b/4; truncate -s 2999999 large; touch -d 2001-01-01 1
      echo 1 >a/new; mkdir a/d; echo 1 >a/d/f
      mv a/none a/.none; ln -s new a/link; mkfifo fifo
      """
    )
    let (report, findings) = try check(place)
    #expect(!report.isEqual)
    #expect(report.missingCount == 22)
    #expect(report.changedCount == 2)
    #expect(report.extraCount == 3)
    #expect(report.unreadableCount == 0)
    #expect(report.equalCount == 62 - 24)
    for finding in [
      ManifestFinding.missing("a/b/3"), .missing("c/20"), .missing("a/none"), .changed("a/b/4"),
      .changed("large"), .extra("a/new"), .extra("a/d/f"), .extra("a/.none"),
    ] {
      #expect(findings.contains(text(finding)), "\(finding)")
    }
    #expect(findings.count == 27)
  }

  @Test("Another file under a listed name is a change, and a link to it too (T67, T42)")
  func otherKinds() throws {
    let place = try tree()
    try place.shell(
      """
      mkdir outside; mv t/c/* outside; cd t
      rm -r c; ln -s ../outside c; mv 1 one; ln -s one 1; rm 2; mkdir 2; rm 3; mkfifo 3
      rm -r a/b; echo 1 >a/b
      """
    )
    let (report, findings) = try check(place)
    #expect(report.changedCount == 3)
    // The files of a directory that is a link, or no directory, are missing.
    #expect(report.missingCount == 40)
    #expect(findings.contains(text(.changed("1"))))
    #expect(findings.contains(text(.missing("c/1"))))
    #expect(findings.contains(text(.extra("one"))))
    #expect(findings.contains(text(.extra("a/b"))))
    #expect(report.extraCount == 2)
  }

  @Test("A manifest in its own directory is not an extra file (T67)")
  func inside() throws {
    let place = try tree()
    try place.shell("mv m t/m; ln t/m m")
    #expect(try check(place).report.isEqual)
  }

  @Test("A copy equals its own manifest, and a later change is found (T66, T67)")
  func ownManifest() throws {
    let place = try CopyPlace()
    try place.shell(
      "mkdir -p s/d; echo 1 >s/d/f; echo 2 >$'s/n\\nl'; truncate -s 5M s/h; ln s/d/f s/g"
    )
    for algorithm in ChecksumAlgorithm.allCases {
      try place.shell("rm -rf t m")
      var options = CopyOptions.archive
      options.manifest = CopyManifest(place.path("m"), algorithm: algorithm)
      #expect(place.copy("s", to: "t", options).isComplete)
      #expect(try check(place).report.equalCount == 4)
      try place.shell("echo 3 >>t/h")
      #expect(try check(place).findings == [text(.changed("h"))])
    }
  }

  @Test("A stopped comparison is not equal")
  func stopped() throws {
    let place = try tree()
    let monitor = CopyMonitor()
    monitor.stop()
    let report = try ManifestChecker().compareAndWait(
      place.path("t"),
      with: place.path("m"),
      monitor: monitor
    )
    #expect(report.isStopped && !report.isEqual)
  }

  @Test("Files that cannot be read are reported, and the others are compared (T67)", .needs(.fuse))
  func unreadable() throws {
    let faulty = try FaultFileSystem()
    let place = try CopyPlace()
    try place.shell(
      """
      mkdir -p '\(faulty.behind)/t/d'; cd '\(faulty.behind)/t'; echo 1 >f; echo 2 >g; echo 3 >d/h
      sha256sum f g d/h >"$OLDPWD/m"
      """
    )
    try faulty.setRules("read f 1+ errno 5")
    let found = Mutex<[ManifestFinding]>([])
    let checker = ManifestChecker { finding in found.withLock { $0.append(finding) } }
    let report = try checker.compareAndWait("\(faulty.path)/t", with: place.path("m"))
    try faulty.setRules()
    #expect(report.unreadableCount == 1)
    #expect(report.equalCount == 2)
    #expect(found.withLock { $0 } == [.unreadable("f", .ioError)])
  }
}
