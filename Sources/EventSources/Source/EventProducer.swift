/// The part of a source that asks the kernel for events of one kind.
///
/// A source calls `start` once, then `stop` once at most. A source that was cancelled before its
/// activation calls `stop` alone. `latch`, `discard` and `rearm` are called between them, one at a
/// time, and may overlap with `stop` only. The cancel handler runs after them. A producer keeps the
/// source's core from `start` until `stop`, or does not keep it at all.
package protocol EventProducer: AnyObject, Sendable {
  /// Registers with the kernel and then calls `core.registered(_:)`, before it returns or later.
  ///
  /// Each event is reported by `core.noted(_:)`, on any thread and with data other than 0.
  func start(for core: SourceCore)

  /// Returns the data that the handler receives.
  ///
  /// It is called on the source's queue. Nil does not end the source: `rearm` follows.
  ///
  /// - Parameter noted: The merged data of the reported events.
  /// - Returns: Nil if the event's reason has gone.
  func latch(_ noted: UInt) -> UInt?

  /// Consumes an event for which there is no handler.
  func discard(_ noted: UInt)

  /// Asks the kernel for the next event, after the handler has returned.
  func rearm(for core: SourceCore)

  /// Ends the registration and then calls `core.released()`, before it returns or later.
  ///
  /// The kernel must have released the descriptor by then. It is also called after a registration
  /// that has failed.
  func stop(for core: SourceCore)

  /// A Boolean value that indicates whether the event that was latched is the source's last one.
  var isOver: Bool { get }
}

extension EventProducer {
  package var isOver: Bool { false }
  package func latch(_ noted: UInt) -> UInt? { noted }
  package func discard(_ noted: UInt) { _ = latch(noted) }
  package func rearm(for core: SourceCore) {}
}

/// The producer of a source whose events are reported by the program itself.
final class NoProducer: EventProducer {
  static let shared = NoProducer()

  func start(for core: SourceCore) { core.registered(nil) }
  func stop(for core: SourceCore) { core.released() }
}
