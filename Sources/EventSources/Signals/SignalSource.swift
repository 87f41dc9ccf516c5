/// A source that calls its handler when the process receives a signal.
///
/// ```swift
/// let source = EventSource.makeSignalSource(signal: SIGTERM, queue: .main)
/// source.setEventHandler { shutDown() }
/// source.activate()
/// ```
///
/// The handler of a source is not a signal handler: it runs on a queue and may call any function. A
/// source needs no change of the signal's disposition or mask. It counts each signal once, also one
/// that all threads block or that the program ignores (<doc:Rules#S189>).
///
/// While a signal has sources, its default action is not carried out. A handler that the program
/// has set before runs as well, except a handler of `SIGQUIT`. A signal that the program handles
/// and that all threads block stays pending for both. The last source restores the disposition
/// (<doc:Rules#S191>).
///
/// A disposition that the program sets after the activation takes the signal from the sources until
/// another source of the signal is activated. A handler can pass it on by calling the one that it
/// has replaced. The last source leaves such a disposition in force.
///
/// A child of a fork has the former disposition (<doc:Rules#S192>).
public final class SignalSource: EventSource, @unchecked Sendable {
  /// The number of the signal.
  public let signal: Int32

  /// Creates a source of a signal.
  ///
  /// - Parameters:
  ///   - signal: The number of the signal.
  ///   - queue: The queue of the handlers, nil for the default global one.
  /// - Precondition: A program can handle the signal, and it reports no fault. So `SIGKILL`,
  ///   `SIGSTOP`, `SIGILL`, `SIGTRAP`, `SIGABRT`, `SIGBUS`, `SIGFPE`, `SIGSEGV`, `SIGSYS` and the
  ///   signals of the C library are refused (<doc:Rules#S190>).
  public init(signal: Int32, queue: WorkQueue? = nil) {
    requireUse(
      SignalSource.canWatch(signal),
      "A signal source has a signal that a program can handle and that reports no fault.",
      "S190"
    )
    self.signal = signal
    super.init(
      core: SourceCore(target: queue, merging: .sum, producer: SignalProducer(signal))
    )
  }

  /// Returns whether a signal can have sources.
  package static func canWatch(_ signal: Int32) -> Bool { SignalCounters.canCount(signal) }

  /// The number of the signal.
  public var handle: UInt { UInt(signal) }

  /// The number of signals since the last call of the event handler, at least 1; 0 outside of a
  /// call.
  ///
  /// A signal below `SIGRTMIN` that arrives while the same one is pending is merged by the kernel,
  /// so that the number is a lower bound.
  public var data: UInt { core.data }
}

extension EventSource {
  /// Creates a source that calls its handler when the process receives a signal.
  public static func makeSignalSource(
    signal: Int32,
    queue: WorkQueue? = nil
  ) -> SignalSource {
    SignalSource(signal: signal, queue: queue)
  }
}
