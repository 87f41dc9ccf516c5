import QueueRuntime

extension IOChannel {
  /// The stream channel of the standard input, descriptor 0, for the whole process.
  ///
  /// It is created on first use. It reads a file, pipe, socket or terminal from its current
  /// position and never changes its `O_NONBLOCK` flag, which a terminal shares with other programs.
  ///
  /// The channel stays open unless the program closes it, which is final and leaves the descriptor
  /// open. Another channel of the descriptor has the same order of operations, and its cleanup
  /// waits until this channel is closed (<doc:Rules#S225>).
  public static let standardInput = standardStream(0)

  /// The stream channel of the standard output, descriptor 1, for the whole process.
  ///
  /// It is created on first use and writes without a buffer of its own. Await the last write before
  /// the program ends. All other properties are those of ``standardInput``.
  public static let standardOutput = standardStream(1)

  /// The stream channel of the standard error, descriptor 2, for the whole process.
  ///
  /// It is created on first use and writes without a buffer of its own. Its writes have no order
  /// with those of ``standardOutput``. All other properties are those of ``standardInput``.
  public static let standardError = standardStream(2)

  private static func standardStream(_ number: Int32) -> IOChannel {
    IOChannel(type: .stream, fileDescriptor: number, queue: .completions()) { _ in }
  }
}
