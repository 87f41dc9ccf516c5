package import IOChannelsEngine
public import IOChannelsSystem

extension IOChannel {
  /// Opens a file, runs a function with a channel for it, and closes it.
  ///
  /// The file is closed in all cases, and no operation is then running. Operations that the
  /// function has not awaited run to completion when it returns, and are stopped when it throws or
  /// the task is cancelled (<doc:Rules#S155>). The call therefore waits for other channels of the
  /// descriptor, such as those created from this one; the function has to close or release them.
  ///
  /// - Parameters:
  ///   - path: The file, relative to the working directory unless it is absolute.
  ///   - flags: The flags for opening; `O_CLOEXEC` is always added.
  ///   - permissions: The mode of a new file, reduced by the process's umask.
  ///   - type: The way in which the channel addresses bytes; offsets count from the start of the
  ///     file.
  ///   - body: A function that uses the channel, which is closed even if the function keeps it.
  /// - Returns: The result of the function.
  /// - Throws: The error of the function, or an ``IOChannelError`` of opening or closing. Some file
  ///   systems report a failed earlier write only when the file is closed.
  public static func withOpen<Result>(
    _ path: some BytePathConvertible,
    _ flags: OpenFlags = .readOnly,
    permissions: UInt32 = 0o666,
    type: StreamType = .random,
    _ body: (IOChannel) async throws -> Result
  ) async throws -> Result {
    try await withOpen(
      path.bytePath,
      flags,
      permissions: permissions,
      type: type,
      engine: .shared,
      body
    )
  }

  /// Opens a file with a given engine.
  package static func withOpen<Result>(
    _ path: BytePath,
    _ flags: OpenFlags,
    permissions: UInt32 = 0o666,
    type: StreamType,
    engine: Engine,
    _ body: (IOChannel) async throws -> Result
  ) async throws -> Result {
    let file = try await ScopedFile(path, flags, permissions: permissions, engine: engine)
    let channel = file.channel(type)
    let result: Result
    do {
      result = try await body(channel)
    } catch {
      channel.close(flags: .stop)
      try? await file.close(stopping: channel)
      throw error
    }
    channel.close()
    try await file.close(stopping: channel)
    return result
  }
}
