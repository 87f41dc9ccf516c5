internal import SystemCalls

/// What a crew works with.
struct CrewMeans: Sendable {
  /// Starts a thread of a name, or says why not.
  typealias ThreadStart =
    @Sendable (String, @escaping @Sendable () -> Void) throws(Errno) -> Void

  /// What happens to jobs when no thread at all can be started.
  enum LastResort: Sendable {
    /// The submitting thread runs them before `submit` returns.
    case submitterWorks
    /// The submitting thread tries again after each of these pauses, in milliseconds, and then
    /// stops the program.
    case submitterRetries(pauses: [Int64])

    /// Tries again for about a second, ever less often.
    static let retriesForASecond = submitterRetries(pauses: (0..<10).map { 1 << $0 })
  }

  var startThread: ThreadStart = PlatformThread.start(name:body:)
  /// The nanoseconds after which a thread without work ends.
  var idleTime: Int64 = 5_000_000_000
  var lastResort = LastResort.retriesForASecond
}
