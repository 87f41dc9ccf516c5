#if MUTANTS
  import Synchronization

  /// A known defect that a test switches on to see that the simulator finds it.
  ///
  /// Only builds with `MUTANTS` contain the defects.
  package enum Mutant: Int, CaseIterable, Sendable {
    /// The owner of a request is told its end as soon as it is cancelled, and frees its memory.
    case bufferFreedAtCancel = 1
    /// An operation that is stopped after its end is done again.
    case secondDone
    /// A short write counts as a full one.
    case shortWriteRemainderLost
    /// A barrier runs while one operation before it is under way.
    case barrierWithOneLeft
    /// An answer for an earlier use of a slot is taken for the present one.
    case staleGenerationTaken
    /// `EAGAIN` reaches the owner of a request.
    case tryAgainShown
    /// What is left of a short read is read from the start of its part.
    case offsetNotAdvanced
    /// An empty answer ends a read before earlier bytes have come.
    case emptyReadTakenForEnd
    /// Bytes are delivered one before the low mark.
    case lowWaterOffByOne
    /// A read goes on asking after a stop.
    case submissionAfterStop
    /// The cleanup does not wait for handlers.
    case cleanupBeforeLastHandler
    /// What handlers have returned from still counts against the window.
    case windowNotGivenBack
    /// The memory of a read that fails is not given back to the budget.
    case budgetNotReturnedOnError
    /// A write of a pipe waits for the reads before it.
    case directionsWaitForEachOther
    /// Bytes that came before an error are not delivered.
    case bytesLostBeforeError
    /// Operations of a stream do not wait for each other.
    case streamsOverlap
    /// A read asks for more whatever its handlers have not returned from.
    case windowIgnored
    /// The kernel gets one request more than it may have.
    case oneRequestTooMany
    /// A path is closed as soon as its channel is.
    case fileClosedTooEarly
    /// The timer of an operation is not stopped at its end.
    case timerLeftRunning
    /// A read of what is in memory passes a barrier that waits.
    case readAtOncePassesBarrier
    /// A part of a read that is in memory is taken for all of it.
    case partInMemoryTakenForWhole

    private static let active = Atomic<Int>(0)

    /// Switches this defect on, for the whole process.
    package func activate() {
      Self.active.store(rawValue, ordering: .relaxed)
    }

    /// Whether this defect is switched on.
    package var isActive: Bool { Self.active.load(ordering: .relaxed) == rawValue }
  }
#endif
