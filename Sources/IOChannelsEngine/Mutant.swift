#if MUTANTS
  import Synchronization

  /// A known defect that a test enables to check that the simulator finds it.
  ///
  /// Only builds with `MUTANTS` contain the defects.
  package enum Mutant: Int, CaseIterable, Sendable {
    /// The end of a request is reported at its cancellation, and its memory is freed too early.
    case bufferFreedAtCancel = 1
    /// An operation that is stopped after its end ends again.
    case secondDone
    /// A short write counts as a full one.
    case shortWriteRemainderLost
    /// A barrier runs while one earlier operation is pending.
    case barrierWithOneLeft
    /// A completion for an earlier use of a slot is taken for the current one.
    case staleGenerationTaken
    /// The owner of a request receives `EAGAIN`.
    case tryAgainShown
    /// The rest of a short read is read from the start of its part.
    case offsetNotAdvanced
    /// An empty result ends a read before earlier bytes have arrived.
    case emptyReadTakenForEnd
    /// Bytes are delivered one byte before the low-water mark.
    case lowWaterOffByOne
    /// A read submits further requests after a stop.
    case submissionAfterStop
    /// The cleanup handler does not wait for other handlers.
    case cleanupBeforeLastHandler
    /// Bytes of handlers that have returned still count against the window.
    case windowNotReturned
    /// A read that fails does not release its memory of the budget.
    case budgetNotReturnedOnError
    /// A write to a pipe waits for earlier reads.
    case directionsWaitForEachOther
    /// Bytes that arrived before an error are not delivered.
    case bytesLostBeforeError
    /// Operations of a stream do not wait for each other.
    case streamsOverlap
    /// A read submits further requests whatever amount its handlers still process.
    case windowIgnored
    /// The kernel gets one request more than the limit.
    case oneRequestTooMany
    /// A path is closed at the same time as its channel.
    case fileClosedTooEarly
    /// The timer of an operation is not stopped at its end.
    case timerLeftRunning
    /// A read of cached bytes overtakes a barrier that waits.
    case readAtOncePassesBarrier
    /// The cached part of a read is taken for all of it.
    case cachedPartTakenForAll

    private static let active = Atomic<Int>(0)

    /// Enables this defect for the process.
    package func activate() {
      Self.active.store(rawValue, ordering: .relaxed)
    }

    /// Whether this defect is enabled.
    package var isActive: Bool { Self.active.load(ordering: .relaxed) == rawValue }
  }
#endif
