import FileCopy
import IOChannelsTestSupport
import Testing

/// A file with several names is copied under the next one when the first cannot be made.
@Suite("Names that fail")
struct FailedNameTests {
  @Test(
    "The next name is copied as what it is",
    arguments: ["ln -s nowhere a", "mkfifo a", "echo 1 >a"],
    [1, 4]
  )
  func nextName(make: String, jobs: Int) throws {
    let place = try CopyPlace()
    // Whichever name comes first, a directory is in the way of all but one.
    try place.shell(
      """
      mkdir -p s to/s; cd s; \(make); for i in {1..9}; do ln -P a $i; done; cd ..
      for i in {1..9}; do mkdir to/s/$i; done
      """
    )
    let report = place.copy("s", to: "to", jobs: jobs)
    #expect(report.failures.count == 9)
    #expect(report.failures.allSatisfy { $0.problem == .existingDirectory }, "\(report.failures)")
    #expect(try place.stat("to/s/a", "%F %Y") == place.stat("s/a", "%F %Y"))
  }
}
