import IOChannelsEngine
import IOChannelsSystem

/// An open descriptor for which one channel is created, and which may be closed after the channel.
struct ScopedFile {
  private let file: IOChannelError.File
  private let descriptor: BorrowedDescriptor
  /// The properties of a file that was opened here.
  private let examined: OpenFile?
  /// The flags with which it was opened here.
  private let flags: OpenFlags
  /// Whether the descriptor is closed after the channel.
  private let isOwned: Bool
  private let engine: Engine

  /// Opens a path.
  init(
    _ path: BytePath,
    _ flags: OpenFlags,
    permissions: UInt32,
    engine: Engine
  ) async throws(IOChannelError) {
    file = .path(path)
    let opened = await TaskRequest.open(path, flags, permissions: permissions, engine: engine)
    switch opened {
    case .success(let opened): (descriptor, examined) = (opened.descriptor, opened)
    case .failure(let reason): throw IOChannelError(.open, of: file, reason: reason)
    }
    self.flags = flags
    isOwned = true
    self.engine = engine
  }

  /// Uses a descriptor of the caller.
  init(_ number: Int32, closing isOwned: Bool, engine: Engine) {
    file = .descriptor(number)
    descriptor = BorrowedDescriptor(rawValue: number)
    examined = nil
    // The caller may have opened it in any way.
    flags = .readWrite
    self.isOwned = isOwned
    self.engine = engine
  }

  /// Runs a function with a channel, and closes the channel and the descriptor.
  func withChannel<Result>(
    _ type: IOChannel.StreamType?,
    _ body: (IOChannel) async throws -> Result
  ) async throws -> Result {
    let channel = IOChannel(
      type: type ?? suitableType,
      descriptor: descriptor,
      examined: examined,
      file: file,
      engine: engine
    )
    let result: Result
    do {
      result = try await body(channel)
    } catch {
      _ = await channel.cleanUp(flags: .stop)
      try? await close()
      throw error
    }
    _ = await channel.cleanUp(flags: [])
    try await close()
    return result
  }

  /// The kind of a channel for the file; the channel itself reports an unusable descriptor.
  private var suitableType: IOChannel.StreamType {
    if let examined { return examined.traits.kind == .seekable ? .random : .stream }
    return switch try? descriptor.fileKind() {
    case .regular, .blockDevice: .random
    default: .stream
    }
  }

  /// Closes the descriptor, if it is owned, also in a cancelled task.
  private func close() async throws(IOChannelError) {
    if isOwned, let examined,
      engine.closeAtOnce(descriptor, examined.traits, openedWith: flags)
    {
      return
    }
    guard isOwned,
      case .failure(let reason) = await TaskRequest.close(descriptor, engine: engine)
    else { return }
    throw IOChannelError(.close, of: file, reason: reason)
  }
}
