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
  /// A directory has no bytes, so opening one throws `EISDIR` (<doc:Rules#S2>). Read its names with
  /// the functions of the system, and observe it with a file-system source.
  ///
  /// A small regular file whose path is in memory is opened and closed on the thread of the task
  /// (<doc:Rules#S247>).
  ///
  /// - Parameters:
  ///   - path: The file, relative to the working directory unless it is absolute.
  ///   - flags: The flags for opening; `O_CLOEXEC` is always added.
  ///   - permissions: The mode of a new file, reduced by the process's umask.
  ///   - type: The way in which the channel addresses bytes; offsets count from the start of the
  ///     file. Without a type, regular files and block devices get a random channel, and all other
  ///     files a stream.
  ///   - body: A function that uses the channel, which is closed even if the function keeps it.
  /// - Returns: The result of the function.
  /// - Throws: The error of the function, or an ``IOChannelError`` of opening or closing. Some file
  ///   systems report a failed earlier write only when the file is closed.
  public static func withOpen<Result>(
    _ path: some BytePathConvertible,
    _ flags: OpenFlags = .readOnly,
    permissions: UInt32 = 0o666,
    type: StreamType? = nil,
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
    type: StreamType? = nil,
    engine: Engine,
    _ body: (IOChannel) async throws -> Result
  ) async throws -> Result {
    try await ScopedFile(path, flags, permissions: permissions, engine: engine)
      .withChannel(type, body)
  }

  /// Runs a function with a channel for an open descriptor, and closes the channel.
  ///
  /// When the call returns or throws, the channel is cleaned up: the descriptor is no longer used,
  /// and is closed if requested. Operations that the function has not awaited run to completion
  /// when it returns, and are stopped when it throws or the task is cancelled (<doc:Rules#S155>).
  /// The call waits for all other channels of the descriptor, so close or release them before.
  ///
  /// - Parameters:
  ///   - descriptor: The number of the open descriptor. If it is not open, the operations of the
  ///     channel fail with `EBADF`.
  ///   - type: The way in which the channel addresses bytes; offsets count from the file position
  ///     at the call. Without a type, regular files and block devices get a random channel, and all
  ///     other files a stream.
  ///   - closing: Whether the descriptor is closed in all cases at the end. It then belongs to the
  ///     call.
  ///   - body: A function that uses the channel, which is closed even if the function keeps it.
  /// - Returns: The result of the function.
  /// - Throws: The error of the function, or an ``IOChannelError`` of closing the descriptor.
  public static func withDescriptor<Result>(
    _ descriptor: Int32,
    type: StreamType? = nil,
    closing: Bool,
    _ body: (IOChannel) async throws -> Result
  ) async throws -> Result {
    try await withDescriptor(descriptor, type: type, closing: closing, engine: .shared, body)
  }

  /// Runs a function with a channel for an open descriptor, whose requests go to a given engine.
  package static func withDescriptor<Result>(
    _ descriptor: Int32,
    type: StreamType? = nil,
    closing: Bool,
    engine: Engine,
    _ body: (IOChannel) async throws -> Result
  ) async throws -> Result {
    try await ScopedFile(descriptor, closing: closing, engine: engine).withChannel(type, body)
  }
}
