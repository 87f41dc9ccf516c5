import QueueRuntime
import IOChannelsEngine
import IOChannelsSystem

/// An open file for which one channel is created.
struct ScopedFile {
  private let path: BytePath
  private let descriptor: BorrowedDescriptor
  private let engine: Engine
  /// The event that the channel has cleaned up.
  private let end = Promise<Void>()

  init(
    _ path: BytePath,
    _ flags: OpenFlags,
    permissions: UInt32,
    engine: Engine
  ) async throws(IOChannelError) {
    self.path = path
    self.engine = engine
    let answer = await TaskRequest.answer(
      to: .open(path, flags, permissions: permissions),
      descriptor: .workingDirectory,
      engine: engine
    )
    switch answer {
    case .success(let number): descriptor = BorrowedDescriptor(rawValue: Int32(number))
    case .failure(let reason): throw IOChannelError(.open, of: .path(path), reason: reason)
    }
  }

  /// Creates the channel, once; it has to be closed before the file can be.
  func channel(_ type: IOChannel.StreamType) -> IOChannel {
    IOChannel(
      type: kind,
      fileDescriptor: descriptor.rawValue,
      file: .path(path),
      engine: engine,
      // It has its own threads, because every worker of queues may be blocked (S38).
      queue: .completions(),
      cleanupHandler: { [end] _ in end.set(()) }
    )
  }

  /// Waits for the cleanup of a closed channel, which a cancelled task stops, and closes the file
  /// in any case.
  func close(stopping channel: IOChannel) async throws(IOChannelError) {
    await withTaskCancellationHandler {
      await end.take()
    } onCancel: {
      channel.close(flags: .stop)
    }
    let answer = await Task { [descriptor, engine] in
      await TaskRequest.answer(to: .close, descriptor: descriptor, engine: engine)
    }.value
    guard case .failure(let reason) = answer else { return }
    do throws(SystemError) {
      guard reason == .canceled || reason == .ownerDied else { throw reason }
      // The engine was shut down and has not closed it.
      try OwnedDescriptor(owning: descriptor.rawValue).close()
    } catch {
      throw IOChannelError(.close, of: .path(path), reason: error)
    }
  }
}
