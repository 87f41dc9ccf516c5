import IOChannelsEngine
public import IOChannelsSystem

/// The engine of the process, which carries out the operations of all channels.
///
/// It starts with the first channel. ``statistics()`` shows its state:
///
/// ```swift
/// print(IOEngine.statistics().reason)
/// ```
public enum IOEngine {
  /// The means by which requests reach the kernel.
  public enum Backend: String, Sendable, Hashable, CaseIterable {
    /// Rings of io_uring, and threads for the requests that rings do not carry.
    case uring
    /// System calls on threads.
    case threads
  }

  /// Returns the state of the engine at this moment.
  ///
  /// It does not start the engine. The call asks the thread of each ring, which usually takes less
  /// than a millisecond. If such a thread hangs in the kernel, the call blocks for a second, and
  /// ``Statistics/isComplete`` is false.
  public static func statistics() -> Statistics { Statistics(of: Engine.sharedIfUsed) }

  /// Frees the buffers that the engine keeps for later operations.
  ///
  /// The engine keeps at most 64 MiB. Buffers of running operations and of data that the program
  /// keeps are not freed. Call this function when the system is short of memory, for example in the
  /// handler of a memory pressure source. It may be called on any thread.
  ///
  /// - Returns: The number of bytes that were freed.
  /// - Complexity: O(n) system calls for n buffers.
  @discardableResult
  public static func freeUnusedBuffers() -> Int {
    BufferPool.shared.freeUnused()
  }
}

extension IOEngine {
  /// The state of the engine at one moment.
  public struct Statistics: Sendable, Hashable {
    /// The backend that was chosen when the engine started, `nil` before.
    public let backend: Backend?
    /// The reason for the choice in one line.
    public let reason: String
    /// The number of requests that the kernel carries out or that wait for the other end of a pipe,
    /// socket or terminal.
    ///
    /// An operation divides its bytes into requests of at most 1 MiB.
    public let inFlightRequestCount: Int
    /// The number of requests that wait for a slot of a ring, a thread or an earlier append.
    public let waitingRequestCount: Int
    /// The number of bytes in buffers of pending operations and of running handlers.
    ///
    /// ``allowedByteCount`` limits it.
    public let usedByteCount: Int
    /// The maximum number of bytes that pending operations and running handlers may have together.
    public let allowedByteCount: Int
    /// The number of bytes in unused buffers, which the engine keeps for later reads.
    public let cachedByteCount: Int
    /// The requests that have waited for a disk or a file system for 5 seconds or longer, in no
    /// order.
    ///
    /// Other requests continue meanwhile. Requests that wait for the other end of a pipe, socket or
    /// terminal are not included.
    public let stuckRequests: [StuckRequest]
    /// Whether all threads of the engine answered in time.
    ///
    /// If it is false, a ring's thread hangs in the kernel, and its requests are not counted.
    public let isComplete: Bool
  }

  /// A request that has waited for a disk or a file system for long.
  public struct StuckRequest: Sendable, Hashable, CustomStringConvertible {
    /// The name of the operation, such as `read` or `open`.
    public let operation: String
    /// The path of the file, `nil` if it is unknown.
    ///
    /// For an open file it is the path that the kernel reports in `/proc/self/fd`. A close has
    /// none.
    public let path: BytePath?
    /// The number of the descriptor, `nil` for a request that only has a path.
    public let descriptor: Int32?
    /// The offset in the file, `nil` for the file position or if there is none.
    public let offset: Int64?
    /// The requested number of bytes, 0 if the request transfers none.
    public let length: Int
    /// The time since the kernel got the request.
    public let age: Duration

    /// One line with operation, file and age.
    public var description: String {
      let bytes = length > 0 ? " of \(length) bytes" : ""
      let place = offset.map { " at offset \($0)" } ?? ""
      let file = path?.description ?? descriptor.map { "descriptor \($0)" } ?? "an unknown file"
      return "\(operation) of \(file)\(place)\(bytes), for \(age.components.seconds) seconds"
    }
  }
}

extension IOEngine.Statistics {
  /// Describes an engine, or the lack of one.
  init(of engine: Engine?, stuckAfter age: Duration = .seconds(5)) {
    guard let engine, engine.belongsToThisProcess else {
      backend = nil
      reason =
        engine == nil
        ? "no channel has started the engine" : "the engine belongs to the parent process"
      (inFlightRequestCount, waitingRequestCount) = (0, 0)
      (usedByteCount, allowedByteCount, cachedByteCount) = (0, 0, 0)
      stuckRequests = []
      isComplete = true
      return
    }
    let report = engine.report(stuckAfter: age)
    backend = engine.choice.usesRing ? .uring : .threads
    reason = engine.choice.reason
    inFlightRequestCount = report.inFlightCount
    waitingRequestCount = report.waitingCount
    usedByteCount = engine.budget.used
    allowedByteCount = engine.budget.limit
    cachedByteCount = engine.buffers.unusedBytes
    stuckRequests = report.stuck.map(IOEngine.StuckRequest.init)
    isComplete = !report.isRingSilent
  }
}

extension IOEngine.StuckRequest {
  init(_ stuck: RequestReport.Stuck) {
    let request = stuck.request
    operation = "\(request.kind)"
    let hasDescriptor = request.descriptor >= 0
    descriptor = request.path == nil && hasDescriptor ? request.descriptor : nil
    // While a close waits, the number may be that of another file already.
    let isOpen = hasDescriptor && request.kind != .close
    path = request.path ?? (isOpen ? Self.path(of: request.descriptor) : nil)
    offset = request.offset
    length = request.length
    age = stuck.age
  }

  /// Returns the path of an open file without accessing its file system.
  private static func path(of descriptor: Int32) -> BytePath? {
    let link = BytePath("/proc/self/fd/\(descriptor)")
    return try? BorrowedDescriptor.workingDirectory.target(ofLink: link, length: 255)
  }
}
