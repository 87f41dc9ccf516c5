internal import Glibc
public import IOChannelsSystem

/// An instance of the kernel's tracing, whose `trace_pipe` waits for events that nothing produces.
///
/// Needs ``Need/tracing``.
public final class TraceInstance: Sendable {
  static let directory = "/sys/kernel/tracing/instances"
  private let path: String

  /// Creates an instance in which no event is enabled.
  public init() throws {
    path = "\(TraceInstance.directory)/iochannels-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    try runSuccessfully(["mkdir", path])
  }

  /// Opens the pipe of the events; the kernel allows one reader at a time.
  public func openPipe() throws -> OwnedDescriptor {
    try openFile("\(path)/trace_pipe", .readOnly)
  }

  /// Adds an event, which a reader of the pipe receives as a line.
  public func add(_ text: String) throws {
    let bytes = Array(text.utf8)
    let file = try openFile("\(path)/trace_marker", .writeOnly)
    _ = try file.borrowed.write(bytes, 0..<bytes.count)
  }

  deinit {
    // The kernel keeps an instance while a descriptor of it is open.
    for _ in 0..<50 where (try? run(["rmdir", path]))?.succeeded != true {}
  }
}
