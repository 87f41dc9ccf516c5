import QueueRuntime
import IOChannelsSystem

/// The settings that an operation copies from its channel when it is submitted.
struct ChannelSettings: Sendable {
  var limits: DeliveryLimits
  /// The time from one strict tick to the next, nil for none.
  var interval: Duration?
  /// Whether transferred pages are dropped from the page cache, where that is supported.
  var isUncached = false
  /// The queue of barriers, whose class requests have; nil for the defaults of both.
  var target: WorkQueue?
}

/// The identity of an operation, and the settings of its channel.
struct Admission: Sendable {
  let id: OperationID
  let settings: ChannelSettings
}

/// The state of one channel: its settings, its creation, and whether it is closed.
struct ChannelState: Sendable {
  /// The progress of the channel's creation.
  enum Creation: Sendable {
    /// The descriptor or path is being examined.
    case underWay
    /// The channel can be used; random offsets count from the base.
    case done(base: Int64)
    /// The creation failed; each operation ends with the error.
    case failed(SystemError)
  }

  let kind: IOChannel.StreamType
  /// The file position of a random channel's descriptor when the channel was created.
  let position: Result<Int64, SystemError>?
  /// Whether it is removed as soon as it is closed and done, without a cleanup that waits for
  /// others.
  let isHidden: Bool
  /// The number of the channel that it was created from; if that one's creation fails, so does this
  /// one's.
  let parent: Int?
  /// The error of the parent's creation, if it failed while this channel waited for its own
  /// creation.
  var parentError: SystemError?
  var settings: ChannelSettings
  var creation = Creation.underWay
  var isClosed = false
  var isStopped = false
  var hasCleanedUp = false
  /// The operations whose last handler has not returned.
  private(set) var open = OpenOperations()
  private(set) var nextNumber = 0
  /// The number of barriers that have not ended.
  var barrierCount = 0
  /// The number of reads from the page cache whose handler has not returned.
  var readAtOnceCount = 0

  /// Creates a channel whose creation is in progress.
  ///
  /// Only the position of the descriptor, if there is one, is read at once: it needs no request to
  /// a file system, and the caller may move it as soon as the channel is created.
  init(
    kind: IOChannel.StreamType,
    of descriptor: BorrowedDescriptor? = nil,
    limits: DeliveryLimits,
    isHidden: Bool = false,
    parent: Int? = nil
  ) {
    self.kind = kind
    position =
      switch (kind, descriptor) {
      case (.random, let descriptor?):
        Result { () throws(SystemError) in try descriptor.position() }
      default: nil
      }
    settings = ChannelSettings(limits: limits)
    self.isHidden = isHidden
    self.parent = parent
  }

  var creationError: SystemError? {
    if case .failed(let error) = creation { error } else { nil }
  }

  /// The offset from which random operations count, or the error that prevents them.
  var base: Result<Int64, SystemError> {
    switch creation {
    case .underWay: .failure(.canceled)
    case .failed(let error): .failure(error)
    case .done(let base): isStopped ? .failure(.canceled) : .success(base)
    }
  }

  /// Returns the offset from which a read from the page cache counts; nil where it has to become an
  /// operation.
  func base(of read: ReadAtOnce) -> Int64? {
    guard kind == .random, !isClosed, case .done(let base) = creation else { return nil }
    return !read.hasHandler || read.length <= settings.limits.highWater ? base : nil
  }

  /// Whether the cleanup waits for no other channel, because the creation failed or the channel is
  /// hidden, and is due.
  var mayCleanUpAlone: Bool {
    isQuiet && !hasCleanedUp && (isHidden ? isClosed : creationError != nil)
  }

  /// Whether no operation, barrier or handler of the channel waits or runs.
  var isQuiet: Bool { open.isEmpty && barrierCount == 0 && readAtOnceCount == 0 }

  /// The error with which the channel refuses operations, if it does.
  var refusal: SystemError? { isClosed ? .canceled : creationError }

  /// Admits the next operation, or returns the reason for its refusal.
  func admission() -> Result<Admission, SystemError> {
    if let refusal { return .failure(refusal) }
    return .success(Admission(id: nextID, settings: settings))
  }

  /// Admits the next operation, which receives the settings without a copy of them.
  ///
  /// - Returns: The interval of its deliveries, or the reason for its refusal.
  func admit(_ operation: TransferStorage) -> Result<Duration?, SystemError> {
    if let refusal { return .failure(refusal) }
    operation.admit(as: nextID, with: settings)
    return .success(settings.interval)
  }

  private var nextID: OperationID { OperationID(number: nextNumber, slot: open.nextSlot) }

  /// Adds the operation that was admitted.
  mutating func add(_ operation: some ChannelOperation) {
    open.add(operation)
    nextNumber += 1
  }

  /// Records that the last handler of an operation has returned.
  mutating func remove(_ operation: OperationID) {
    open.remove(operation.slot)
  }
}
