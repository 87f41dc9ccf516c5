/// The way in which a process has ended.
public enum ProcessStatus: Hashable, Sendable {
  /// The process has called `exit`, or its main function has returned.
  case exited(code: Int32)
  /// A signal has ended the process.
  case signaled(number: Int32, coreDumped: Bool)

  /// Creates a status from the number that `waitpid` stores.
  ///
  /// - Returns: Nil for a process that is stopped or continues.
  public init?(waitStatus: Int32) {
    let signal = waitStatus & 0x7f
    if signal == 0x7f { return nil }
    self =
      signal == 0
      ? .exited(code: waitStatus >> 8 & 0xff)
      : .signaled(number: signal, coreDumped: waitStatus & 0x80 != 0)
  }

  /// The status as the number that `waitpid` stores.
  public var waitStatus: Int32 {
    switch self {
    case .exited(let code): (code & 0xff) << 8
    case .signaled(let number, let coreDumped): number & 0x7f | (coreDumped ? 0x80 : 0)
    }
  }
}
