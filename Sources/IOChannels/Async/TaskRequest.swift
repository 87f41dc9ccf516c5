import QueueRuntime
import IOChannelsEngine
import IOChannelsSystem

/// A request without a channel whose answer a task waits for.
final class TaskRequest: RequestOwner {
  /// A result, and the file of an opening.
  private typealias Answer = (result: TransferResult, file: Result<OpenFile, SystemError>)

  private let answer = Promise<Answer>()

  /// Submits a request to an engine and waits for its answer; a cancelled task requests an early
  /// one.
  static func answer(
    to operation: Request.Operation,
    descriptor: BorrowedDescriptor,
    engine: Engine
  ) async -> TransferResult {
    await TaskRequest().answer(to: operation, descriptor: descriptor, engine: engine).result
  }

  /// Opens a path, and examines the file on the same thread: that of the task, if nothing is waited
  /// for (S247).
  ///
  /// - Returns: The open file. A directory and any other file that no channel can have is closed,
  ///   and the result is its error.
  static func open(
    _ path: BytePath,
    _ flags: OpenFlags,
    permissions: UInt32,
    engine: Engine
  ) async -> Result<OpenFile, SystemError> {
    // A cancelled task creates or truncates no file (S158).
    if Task.isCancelled { return .failure(.canceled) }
    if let file = engine.openAtOnce(path, flags) {
      return .success(
        OpenFile(descriptor: file.descriptor, traits: file.traits, size: file.size)
      )
    }
    let answer = await TaskRequest().answer(
      to: .open(path, flags, permissions: permissions),
      descriptor: .workingDirectory,
      engine: engine
    )
    if case .success(let file) = answer.file {
      engine.noteOpened(file.descriptor, file.traits, flags)
    } else if case .success(let number) = answer.result {
      _ = await close(BorrowedDescriptor(rawValue: Int32(number)), engine: engine)
    }
    return answer.file
  }

  /// Closes a descriptor, even in a cancelled task or in a child of a fork.
  static func close(_ descriptor: BorrowedDescriptor, engine: Engine) async -> TransferResult {
    let wait = TaskRequest()
    wait.submit(.close, descriptor: descriptor, engine: engine)
    let result = await wait.answer.take().result
    guard case .failure(.ownerDied) = result else { return result }
    return Result { () throws(SystemError) in
      try OwnedDescriptor(owning: descriptor.rawValue).close()
      return 0
    }
  }

  private func answer(
    to operation: Request.Operation,
    descriptor: BorrowedDescriptor,
    engine: Engine
  ) async -> Answer {
    let request = submit(operation, descriptor: descriptor, engine: engine)
    return await withTaskCancellationHandler {
      await answer.take()
    } onCancel: {
      engine.cancel(request)
    }
  }

  @discardableResult
  private func submit(
    _ operation: Request.Operation,
    descriptor: BorrowedDescriptor,
    engine: Engine
  ) -> Request {
    let request = Request(
      operation,
      descriptor: descriptor,
      priority: WorkQueue.QoS.QoSClass(taskPriority: Task.currentPriority.rawValue),
      tag: 0,
      owner: self
    )
    engine.submit(request)
    return request
  }

  func requestEnded(_ request: Request, with result: TransferResult) {
    let file = Result { () throws(SystemError) in
      let number = try result.get()
      guard request.kind == .open else { throw .badFileDescriptor }
      return try OpenFile(of: BorrowedDescriptor(rawValue: Int32(number)))
    }
    answer.set((result, file))
  }
}
