internal import SystemCalls

/// What a crew works with.
struct CrewMeans: Sendable {
  /// Starts a thread of a name, or says why not.
  typealias ThreadStart =
    @Sendable (String, @escaping @Sendable () -> Void) throws(Errno) -> Void

  /// The pauses of about a second in all, ever longer.
  static let pausesOfASecond: [Int64] = (0..<10).map { 1 << $0 }

  var startThread: ThreadStart = PlatformThread.start(name:body:)
  /// The nanoseconds after which a thread without work ends.
  var idleTime: Int64 = 5_000_000_000
  /// The pauses, in milliseconds, after which a submitter tries again to start a thread when there
  /// is none at all. Then it runs the jobs itself, before `submit` returns (S103).
  var pauses = CrewMeans.pausesOfASecond
  /// Whether jobs hold code of the program, which may start children.
  var runsUserCode = true
}
