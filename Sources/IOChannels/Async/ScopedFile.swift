import QueueRuntime
import RequestEngine
import SystemCalls

/// An open file of which one channel is made.
struct ScopedFile {
  private let path: FilePath
  private let descriptor: BorrowedDescriptor
  private let engine: Engine
  /// Left when the channel has cleaned up.
  private let use = WorkGroup()

  init(
    _ path: FilePath,
    _ flags: OpenFlags,
    permissions: UInt32,
    engine: Engine
  ) async throws(IOError) {
    self.path = path
    self.engine = engine
    let answer = await TaskRequest.answer(
      to: .open(path, flags, permissions: permissions),
      descriptor: .workingDirectory,
      engine: engine
    )
    switch answer {
    case .success(let number): descriptor = BorrowedDescriptor(rawValue: Int32(number))
    case .failure(let reason): throw IOError(.open, of: .path(path), reason: reason)
    }
  }

  /// The channel; it has to be closed before the file can be.
  func channel(_ kind: IOChannel.Kind) -> IOChannel {
    use.enter()
    return IOChannel(
      kind: kind,
      fileDescriptor: descriptor.rawValue,
      file: .path(path),
      engine: engine,
      queue: engine.queue,
      cleanupHandler: { [use] _ in use.leave() }
    )
  }

  /// Waits for the end of a closed channel, which a cancelled task brings about, and closes the
  /// file in any case.
  func close(stopping channel: IOChannel) async throws(IOError) {
    await withTaskCancellationHandler {
      await use.completion()
    } onCancel: {
      channel.close(flags: .stop)
    }
    let answer = await Task { [descriptor, engine] in
      await TaskRequest.answer(to: .close, descriptor: descriptor, engine: engine)
    }.value
    guard case .failure(let reason) = answer else { return }
    do throws(Errno) {
      guard reason == .canceled || reason == .ownerDied else { throw reason }
      // The engine is over and has not done it.
      try FileDescriptor(owning: descriptor.rawValue).close()
    } catch {
      throw IOError(.close, of: .path(path), reason: error)
    }
  }
}
