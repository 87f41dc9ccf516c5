internal import IOChannelsSystem

/// The settings of a worker group: its way to start threads, and its times.
struct WorkerGroupConfiguration: Sendable {
  /// A function that starts a thread with a name, or returns the reason for its failure.
  typealias ThreadStart =
    @Sendable (String, @escaping @Sendable () -> Void) throws(SystemError) -> Void

  /// Pauses that grow and total about a second.
  static let pausesOfASecond: [Int64] = (0..<10).map { 1 << $0 }

  var startThread: ThreadStart = PlatformThread.start(name:body:)
  /// The nanoseconds after which an idle thread ends.
  var idleTime: Int64 = 5_000_000_000
  /// The pauses, in milliseconds, between a submitter's attempts to start a first thread. After
  /// them the submitter runs the jobs itself, before `submit` returns (S103).
  var pauses = WorkerGroupConfiguration.pausesOfASecond
  /// Whether jobs run code of the program, which may start children.
  var runsUserCode = true
}
