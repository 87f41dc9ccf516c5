package import RequestEngine
public import SystemCalls

extension IOChannel {
  /// Opens a file, runs a function with a channel of it, and closes it.
  ///
  /// The file is closed on every way out, and no operation is under way then (S154): those that the
  /// function left behind go on when it returns, and are stopped when it throws or the task is
  /// cancelled (S155). So it waits for other channels of the descriptor, as those that were made of
  /// this one, which the function has to close or let go of.
  ///
  /// - Parameters:
  ///   - path: The file, relative to the working directory unless it is absolute.
  ///   - flags: How it is opened; every opening closes on `exec`.
  ///   - permissions: The mode of a new file, of which the process's mask is taken away.
  ///   - kind: How the channel finds its bytes; offsets count from the start of the file.
  ///   - body: Uses the channel, which is closed when it is kept longer.
  /// - Returns: What the function returns.
  /// - Throws: What the function throws, or an ``IOError`` of opening or closing. Some file
  ///   systems tell only then that an earlier write has failed.
  public static func withOpen<Result>(
    _ path: FilePath,
    _ flags: OpenFlags = .readOnly,
    permissions: UInt32 = 0o666,
    kind: Kind = .random,
    _ body: (IOChannel) async throws -> Result
  ) async throws -> Result {
    try await withOpen(
      path,
      flags,
      permissions: permissions,
      kind: kind,
      engine: .shared,
      body
    )
  }

  /// Opens a file with an engine of the caller's choice.
  package static func withOpen<Result>(
    _ path: FilePath,
    _ flags: OpenFlags,
    permissions: UInt32 = 0o666,
    kind: Kind,
    engine: Engine,
    _ body: (IOChannel) async throws -> Result
  ) async throws -> Result {
    let file = try await ScopedFile(path, flags, permissions: permissions, engine: engine)
    let channel = file.channel(kind)
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
