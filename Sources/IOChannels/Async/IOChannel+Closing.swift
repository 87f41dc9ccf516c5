import IOChannelsSystem

extension IOChannel {
  // It has a name of its own: beside an `async` form of the same name, the compiler would refuse
  // `close()` without `await` in every asynchronous function.

  /// Closes the channel and waits until its cleanup handler has returned.
  ///
  /// Operations that were submitted before run to completion, unless they are stopped. A cancelled
  /// task stops them. The cleanup also waits for the other channels of the descriptor
  /// (<doc:Rules#S32>), so close those before. Afterwards the descriptor may be closed. Several
  /// tasks may close a channel, also after `close(flags:)` (<doc:Rules#S225>).
  ///
  /// - Parameter flags: `.stop` ends operations early, as soon as the kernel has released their
  ///   memory.
  /// - Throws: The error of the channel's creation, or of the opening of its path.
  public func closeAndCleanUp(flags: CloseFlags = []) async throws(IOChannelError) {
    guard let reason = await cleanUp(flags: flags) else { return }
    throw IOChannelError(.open, of: file, reason: reason)
  }

  /// Closes the channel, waits until its cleanup handler has returned, and returns its argument.
  func cleanUp(flags: CloseFlags) async -> SystemError? {
    close(flags: flags)
    return await withTaskCancellationHandler {
      await core.cleanupError()
    } onCancel: {
      close(flags: .stop)
    }
  }
}
