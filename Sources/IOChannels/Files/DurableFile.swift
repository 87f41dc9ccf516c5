public import DataRegions
package import IOChannelsEngine
public import IOChannelsSystem

/// The atomic replacement of files: a crash leaves either the old or the new contents.
///
/// ```swift
/// try await DurableFile.replace(at: path) { file in
///   try await file.write(header)
///   try await file.write(body)
/// }
/// ```
public enum DurableFile {
  /// Writes a new file with a function, and replaces the file at a path by it.
  ///
  /// The new file has a hidden name in the same directory until it is complete. It is flushed to
  /// the device, then renamed, then its directory is flushed (<doc:Rules#S228>). Until the rename,
  /// readers of the path find the old file. Writes that the function has not awaited run to
  /// completion. If any write fails, the old file is kept, even if the function has caught the
  /// error. The call waits for other channels of the descriptor, such as those created from this
  /// one; the function has to close or release them. The process must have the right to read the
  /// directory, which it opens for the flush.
  ///
  /// The new file has the mode, owner, group and access list of the old one, as far as the process
  /// may set them. Extended attributes are not kept. Other hard links keep the old contents. A
  /// symbolic link stays, and the file that it points to is replaced (<doc:Rules#S229>).
  ///
  /// If the function throws or the task is cancelled, the old file is unchanged and the new one is
  /// removed. A cancellation after the rename has no effect. A process that is killed may leave the
  /// hidden file, whose name starts with `.durable-`.
  ///
  /// - Parameters:
  ///   - path: The file, relative to the working directory unless it is absolute.
  ///   - permissions: The mode if there is no old file, reduced by the process's umask.
  ///   - body: A function that writes to a stream channel, which is closed even if the function
  ///     keeps it.
  /// - Returns: The result of the function.
  /// - Throws: The error of the function, or an ``IOChannelError`` of a step, with `path`. Only if
  ///   flushing the directory fails, the file is replaced nevertheless; the error then names the
  ///   directory.
  public static func replace<Result>(
    at path: some BytePathConvertible,
    permissions: UInt32 = 0o666,
    _ body: (_ file: IOChannel) async throws -> Result
  ) async throws -> Result {
    try await replace(at: path.bytePath, permissions: permissions, engine: .shared, body)
  }

  /// Writes a buffer to a new file, and replaces the file at a path by it.
  ///
  /// The steps and their order are those of the form with a function (<doc:Rules#S228>).
  ///
  /// - Parameters:
  ///   - path: The file, relative to the working directory unless it is absolute.
  ///   - data: The contents, which are shared, not copied.
  ///   - permissions: The mode if there is no old file, reduced by the process's umask.
  /// - Throws: The error of the first step that failed. Only if flushing the directory fails, the
  ///   file is replaced nevertheless; the error then names the directory.
  public static func replace(
    at path: some BytePathConvertible,
    with data: DataBuffer,
    permissions: UInt32 = 0o666
  ) async throws(IOChannelError) {
    let replacement = FileReplacement(of: path.bytePath, engine: .shared)
    let written = try await replacement.run(permissions: permissions) {
      (file) throws(IOChannelError) in try await file.write(data)
    }
    try written.get()
  }

  /// Replaces a file with a given engine.
  package static func replace<Value>(
    at path: BytePath,
    permissions: UInt32 = 0o666,
    engine: Engine,
    _ body: (IOChannel) async throws -> Value
  ) async throws -> Value {
    let replacement = FileReplacement(of: path, engine: engine)
    return try await replacement.run(permissions: permissions, body).get()
  }
}
