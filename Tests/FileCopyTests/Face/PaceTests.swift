import IOChannelsTestSupport
import Testing

@testable import FileCopy

/// Copies whose pace the options limit.
@Suite("Pace of a copy", .ends(withinMinutes: 10))
struct PaceTests {
  /// The options that select each method of transfer.
  enum Way: CaseIterable, Sendable {
    case stream, direct, sparse, nonZero

    fileprivate var options: CopyOptions {
      var options = CopyOptions.archive
      options.contents.clones = .never
      switch self {
      case .stream: options.contents.holes = .never
      case .direct: options.contents.direct = .always
      case .sparse: break
      case .nonZero: options.contents.holes = .always
      }
      return options
    }
  }

  @Test("Each method of transfer keeps the limit of all threads (T55)", arguments: Way.allCases)
  func limit(way: Way) throws {
    let place = try CopyPlace()
    try place.shell("mkdir s; for i in 1 2 3; do head -c 400000 /dev/urandom >s/$i; done")
    if way == .sparse { try place.shell("for i in s/*; do truncate -s 1M $i; done") }
    var options = way.options
    options.contents.byteRate = 2_000_000
    let start = ContinuousClock.now
    let report = place.copy("s", to: "d", options, jobs: 3)
    let elapsed = ContinuousClock.now - start
    #expect(report.isComplete)
    // The credit of a tenth of a second is subtracted from the 0.6 seconds.
    #expect(elapsed > .milliseconds(450), "\(elapsed)")
    #expect(try place.differences("s", "d") == [])
  }

  @Test("Each method of transfer writes back behind the copy (T56)", arguments: Way.allCases)
  func writeBack(way: Way) throws {
    let place = try CopyPlace()
    try place.shell("mkdir s; for i in {1..9}; do head -c ${i}000000 /dev/urandom >s/$i; done")
    if way == .sparse { try place.shell("for i in s/*; do truncate -s 12M $i; done") }
    var options = way.options
    options.contents.limitsUnwrittenData = true
    #expect(place.copy("s", to: "d", options, jobs: 3).isComplete)
    #expect(try place.differences("s", "d") == [])
    let other = try CopyPlace(in: "/dev/shm")
    let report = FileCopier(options).report(from: place.path("s"), to: other.path("d"))
    #expect(report.isComplete)
    try place.shell("diff -r s '\(other.directory("d"))'")
  }

  @Test("A stop ends the wait of a limited rate (T55)")
  func stoppedWait() async throws {
    let place = try CopyPlace()
    try place.shell("head -c 300000 /dev/urandom >f")
    var options = CopyOptions()
    options.contents.clones = .never
    options.contents.byteRate = 1000
    let report = await place.copyStopped("f", to: "g", options)
    #expect(report.isStopped)
    #expect(report.elapsed < .seconds(100))
    #expect(try !run(["test", "-e", place.directory("g")]).succeeded)
  }
}
