import IOChannelsEngine
import IOChannelsSystem
import QueueRuntime

/// The steps of one replacement, in their order.
///
/// Requests of the engine carry the data, the flushes and the closes. The calls on names, which the
/// engine has no requests for, run on a pool of their own.
struct FileReplacement: Sendable {
  private let path: BytePath
  private let engine: Engine

  init(of path: BytePath, engine: Engine) {
    self.path = path
    self.engine = engine
  }

  /// Creates, writes and publishes the new file.
  ///
  /// - Returns: The result of the function, or its error, after which the new file is removed.
  /// - Throws: The error of a step, after which the new file is removed, too.
  func run<Value, Failure: Error>(
    permissions: UInt32,
    _ body: (IOChannel) async throws(Failure) -> Value
  ) async throws(IOChannelError) -> Result<Value, Failure> {
    // The pool has no threads in a child of a fork.
    guard engine.belongsToThisProcess else { throw error(.open, .ownerDied) }
    let file = try await onPool { [path] () throws(IOChannelError) in
      try UnpublishedFile(for: path, permissions: permissions)
    }.get()
    let (result, failure) = await write(file, body)
    guard case .success = result else {
      await discard(file, isOpen: true)
      return result
    }
    if let failure {
      await discard(file, isOpen: true)
      throw error(.write, failure)
    }
    try await complete(file)
    try await publish(file)
    return result
  }

  /// Calls the function with a channel, and waits until the channel is closed.
  ///
  /// - Returns: The result of the function, and the first error of the channel's operations, also
  ///   of those that the function has not awaited.
  private func write<Value, Failure: Error>(
    _ file: UnpublishedFile,
    _ body: (IOChannel) async throws(Failure) -> Value
  ) async -> (Result<Value, Failure>, SystemError?) {
    let channel = IOChannel(
      type: .stream,
      descriptor: file.descriptor,
      file: .path(path),
      engine: engine
    )
    let result: Result<Value, Failure>
    do throws(Failure) {
      result = .success(try await body(channel))
    } catch {
      _ = await channel.cleanUp(flags: .stop)
      return (.failure(error), nil)
    }
    let creationError = await channel.cleanUp(flags: [])
    return (result, creationError ?? channel.core.firstFailure)
  }

  /// Gives the new file its attributes, flushes it and closes it.
  private func complete(_ file: UnpublishedFile) async throws(IOChannelError) {
    do throws(IOChannelError) {
      let kept = await onPool { () throws(SystemError) in try file.keepAttributes() }
      try check(kept, .setAttributes)
      try check(await synchronize(file.descriptor), .synchronize)
    } catch {
      await discard(file, isOpen: true)
      throw error
    }
    do throws(IOChannelError) {
      // Some file systems report a failed write only here.
      try check(await TaskRequest.close(file.descriptor, engine: engine), .close)
    } catch {
      await discard(file, isOpen: false)
      throw error
    }
  }

  /// Renames the new file and flushes the directory, which a cancellation does not end.
  private func publish(_ file: UnpublishedFile) async throws(IOChannelError) {
    do throws(IOChannelError) {
      if Task.isCancelled { throw error(.rename, .canceled) }
      try check(await onPool { () throws(SystemError) in try file.rename() }, .rename)
    } catch {
      await discard(file, isOpen: false)
      throw error
    }
    let flushed = await Task { [self] in
      let flushed = await synchronize(file.directory)
      _ = await TaskRequest.close(file.directory, engine: engine)
      return flushed
    }.value
    // Some file systems have no flush of directories.
    guard case .failure(let reason) = flushed, reason != .invalidArgument else { return }
    throw IOChannelError(.synchronize, of: .path(file.directoryPath), reason: reason)
  }

  /// Removes the new file, also in a cancelled task. A name that cannot be removed stays.
  private func discard(_ file: UnpublishedFile, isOpen: Bool) async {
    await Task { [engine] in
      // Some file systems rename an open file that is removed.
      if isOpen { _ = await TaskRequest.close(file.descriptor, engine: engine) }
      _ = await onPool { () throws(SystemError) in try file.remove() }
      _ = await TaskRequest.close(file.directory, engine: engine)
    }.value
  }

  private func synchronize(_ descriptor: BorrowedDescriptor) async -> TransferResult {
    await TaskRequest.answer(
      to: .synchronize(dataOnly: false),
      descriptor: descriptor,
      engine: engine
    )
  }

  /// Makes calls that may block on a thread of the pool.
  private func onPool<Value: Sendable, Failure: Error>(
    _ calls: @escaping @Sendable () throws(Failure) -> Value
  ) async -> Result<Value, Failure> {
    let priority = WorkQueue.QoS.QoSClass(taskPriority: Task.currentPriority.rawValue)
    return await withCheckedContinuation { continuation in
      BlockingPool.names.submit {
        let result = Result(catching: calls)
        // A thread of the pool calls no executor, which is code of the program (S97).
        WorkQueue.completions(qos: priority).async { continuation.resume(returning: result) }
      }
    }
  }

  private func check<Value>(
    _ result: Result<Value, SystemError>,
    _ operation: IOChannelError.Operation
  ) throws(IOChannelError) {
    if case .failure(let reason) = result { throw error(operation, reason) }
  }

  private func error(
    _ operation: IOChannelError.Operation,
    _ reason: SystemError
  ) -> IOChannelError {
    IOChannelError(operation, of: .path(path), reason: reason)
  }
}
