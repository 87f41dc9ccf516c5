/// The events of a source as an asynchronous sequence.
///
/// ```swift
/// for await count in TimerSource.ticks(every: .seconds(1)) { print(count) }
/// ```
///
/// The source is suspended while the loop does not wait: events are merged meanwhile, so that a
/// slow loop costs no memory (<doc:Rules#S208>). The sequence ends when the source is cancelled and
/// after the last event of a source that has one. Leaving the loop, and cancelling its task,
/// cancels the source. So a cancelled task ends its loop without an error.
///
/// A source has one sequence, which takes the place of its event handler. Its other handlers are
/// called as without a sequence, the cancel handler before the sequence ends.
public struct SourceEvents<Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
  private let source: EventSource
  /// The object that ends a source that only the sequence has.
  private var owner: SourceOwner?
  private let element: @Sendable (UInt) -> Element
  private let failure: @Sendable (SystemError) -> Failure?

  init(
    of source: EventSource,
    failure: @escaping @Sendable (SystemError) -> Failure?,
    element: @escaping @Sendable (UInt) -> Element
  ) {
    self.source = source
    self.element = element
    self.failure = failure
  }

  /// Returns the sequence as the owner of its source, which ends when nothing asks for its events.
  func owningSource() -> Self {
    var events = self
    events.owner = SourceOwner(source)
    return events
  }

  /// Activates the source and returns an iterator over its events.
  ///
  /// - Precondition: It is the first iterator of the source.
  public func makeAsyncIterator() -> Iterator {
    let subscription = EventSubscription(source, owner)
    return Iterator(subscription: subscription, element: element, failure: failure)
  }

  /// An iterator that waits for the events of a source one at a time.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let subscription: EventSubscription
    fileprivate let element: @Sendable (UInt) -> Element
    fileprivate let failure: @Sendable (SystemError) -> Failure?

    /// Waits for the next event.
    public mutating func next() async throws(Failure) -> Element? {
      try await next(isolation: #isolation)
    }

    /// Waits for the next event.
    ///
    /// - Returns: Nil once the source is cancelled, or its task, or after its last event.
    /// - Throws: The error for which the source cannot be registered.
    public mutating func next(
      isolation: isolated (any Actor)?
    ) async throws(Failure) -> Element? {
      switch await subscription.demand.next() {
      case .data(let data): return element(data)
      case .end(let error):
        if let failure = error.flatMap(failure) { throw failure }
        return nil
      }
    }
  }
}

/// The subscription of an iterator: it keeps the source while events are requested, and cancels it
/// afterwards.
private final class EventSubscription: Sendable {
  private let source: EventSource
  private let owner: SourceOwner?
  let demand: EventDemand

  init(_ source: EventSource, _ owner: SourceOwner?) {
    requireUse(source.core.claimSequence(), "An event source has one sequence.", "S208")
    self.source = source
    self.owner = owner
    demand = EventDemand(source.core)
  }

  deinit { demand.abandon() }
}

/// The owner of a source that the program does not see.
///
/// It ends the source, whether events were ever requested or not.
private final class SourceOwner: Sendable {
  private let source: EventSource

  init(_ source: EventSource) { self.source = source }

  // A source that is not active cannot be released.
  deinit { source.core.cancelAndActivate() }
}
