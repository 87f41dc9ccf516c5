import IOChannelsTestSupport
import Testing

@testable import EventSources

@Suite("Changes that the kernel does not report")
struct UnseenChangeTests {
  /// Changes a file beside the watched file system and then through it, which alone is reported.
  private func check(_ kind: MountedFileSystem.Kind, changedIn layer: String) async throws {
    let place = try MountedFileSystem(kind, files: ["f": [1, 2, 3]])
    let watched = try WatchedFile("\(place.path)/f")
    let behind = place.path.dropLast("mounted".count) + layer
    try runSuccessfully(["sh", "-ec", "chmod 600 f"], directory: String(behind))
    try runSuccessfully(["sh", "-ec", "mv f g"], directory: place.path)
    try await watched.reach(.rename)
    #expect(!watched.events.contains(.attrib))
    try await watched.cancel()
  }

  @Test("Behind a FUSE file system", .needs(.fileSystems))
  func fuse() async throws { try await check(.bindfs, changedIn: "behind") }

  @Test("In the layer below an overlay", .needs(.fileSystems))
  func overlay() async throws { try await check(.overlay, changedIn: "behind") }

  @Test("A lower file that is copied up stays watched", .needs(.fileSystems))
  func copyUp() async throws {
    let place = try MountedFileSystem(.overlay, files: ["f": [1, 2, 3]])
    let watched = try WatchedFile("\(place.path)/f")
    try runSuccessfully(["sh", "-ec", "printf x >>f"], directory: place.path)
    try await watched.reach([.write, .extend])
    try await watched.cancel()
  }
}
