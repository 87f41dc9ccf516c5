import IOChannels
import IOChannelsTestSupport

/// A channel on a file or a pipe end for code that awaits.
struct AsyncPlace: ~Copyable {
  let descriptor: OwnedDescriptor
  let channel: IOChannel
  let cleanup: Trace

  init(
    _ backend: TestBackend,
    _ kind: IOChannel.StreamType,
    _ descriptor: consuming OwnedDescriptor
  ) throws {
    cleanup = Trace()
    channel = try backend.channel(kind, descriptor, cleanup)
    self.descriptor = descriptor
  }

  /// Closes the channel and waits for the end of everything.
  consuming func close() async {
    channel.close()
    await cleanup.reach(1)
  }
}

/// A file with bytes, in a directory that goes with the value.
struct FileOfBytes {
  let directory: TemporaryDirectory
  let path: String

  init(_ bytes: [UInt8]) throws {
    directory = try TemporaryDirectory()
    path = try directory.write(bytes, to: "file")
  }

  func opened(_ flags: OpenFlags = .readOnly) throws -> OwnedDescriptor {
    try openFile(path, flags)
  }

  func bytes() throws -> [UInt8] {
    let descriptor = try opened()
    var bytes: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 1 << 20)
    while case let count = try descriptor.borrowed.read(into: &room), count > 0 {
      bytes += room[..<count]
    }
    return bytes
  }
}
