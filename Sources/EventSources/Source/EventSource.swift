/// A source of events whose handlers run on a queue.
///
/// Each kind of event has a class of its own. A source is created inactive: set its handlers, then
/// activate it.
///
/// ```swift
/// let timer = EventSource.makeTimerSource(queue: .main)
/// timer.setEventHandler { print("tick") }
/// timer.schedule(deadline: .now() + .seconds(1), repeating: .seconds(1))
/// timer.activate()
/// ```
///
/// The event handler never overlaps itself. Events that arrive while it runs, or while the source
/// is suspended, are merged and delivered by one later call (<doc:Rules#S180>). A cancelled source
/// delivers no further events. Its cancel handler runs once the kernel has released the descriptor
/// (<doc:Rules#S181>).
///
/// A program keeps a source as long as it wants events: dropping the last reference ends the source
/// without a call of the cancel handler (<doc:Rules#S182>). A handler that captures the source
/// retains it until the source is cancelled. To avoid that, capture the source weakly; it may then
/// be released while the handler runs.
///
/// All members may be called on any thread. A child of a fork cannot use the sources of its parent
/// (<doc:Rules#S109>).
public class EventSource: SuspendableObject, @unchecked Sendable {
  // Subclasses add constants only, so that the class is as safe as its core.
  package let core: SourceCore

  package init(core: SourceCore) { self.core = core }

  deinit { core.abandon() }

  /// Lets events arrive; does nothing if the source is active.
  ///
  /// The registration handler runs first.
  public final func activate() { core.activate() }

  /// Keeps further handlers from running until as many calls of `resume` have followed.
  ///
  /// A running handler continues. Events that arrive meanwhile are merged.
  public final func suspend() { core.suspend() }

  /// Ends one suspension; activates a source that is inactive and not suspended.
  ///
  /// - Precondition: The source is suspended or inactive.
  public final func resume() { core.resume() }

  /// Cancels the source, so that no more events are delivered.
  ///
  /// A running handler continues. The cancel handler runs after it, once the kernel has released
  /// the descriptor. The descriptor must stay open until the cancel handler runs. If the source is
  /// inactive or suspended, the cancel handler runs when the source is activated or resumed.
  public final func cancel() { core.cancel() }

  /// A Boolean value that indicates whether the source was cancelled.
  public final var isCancelled: Bool { core.isCancelled }

  /// The error for which the source receives no events, nil if there is none.
  ///
  /// It is set when the registration handler runs. Such a source can be cancelled like any other.
  public final var registrationError: SystemError? { core.registrationError }

  /// Sets the queue on which the handlers run, nil for the default global queue.
  ///
  /// A handler that is already queued runs on the old queue, later ones on the new one.
  public final func setTarget(queue: WorkQueue?) {
    core.setTarget(queue ?? .global())
  }
}
