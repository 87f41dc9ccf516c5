import Testing

@testable import FileCopy

/// The file that the progress of a copy names.
@Suite("Files in flight")
struct FilesInFlightTests {
  @Test("The file that was begun first is named until it ends")
  func first() {
    var files = FilesInFlight<String>()
    #expect(files.first == nil)
    let large = files.begin("large")
    let small = files.begin("small")
    #expect(files.first == "large")
    files.end(small)
    #expect(files.first == "large")
    let last = files.begin("last")
    files.end(large)
    #expect(files.first == "last")
    files.end(large)
    files.end(last)
    #expect(files.first == nil)
  }
}
