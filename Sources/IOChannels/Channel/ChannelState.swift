import QueueRuntime
import SystemCalls

/// What an operation takes from its channel when it is submitted.
struct ChannelSettings: Sendable {
  var limits: DeliveryLimits
  /// The time from one strict tick to the next, nil for none.
  var interval: Duration?
  /// Whether transfers leave nothing in the page cache, where that can be had.
  var isUncached = false
  /// Where barriers run, and whose class requests have; nil for the defaults of both.
  var target: WorkQueue?
}

/// What is known of one channel: how it is set, whether it can be used, whether it is closed.
struct ChannelState: Sendable {
  /// What has become of the channel's creation.
  enum Creation: Sendable {
    /// Its descriptor or path is being looked at.
    case underWay
    /// It can be used; random offsets count from the base.
    case done(base: Int64)
    /// It cannot; each operation gets the error.
    case failed(Errno)
  }

  let kind: IOChannel.Kind
  /// Where the descriptor of a random channel was when the channel was made.
  let position: Result<Int64, Errno>?
  /// Whether it goes as soon as it is closed and done, without a cleanup that waits for others.
  let isHidden: Bool
  /// The number of the channel that it was made of, with whose creation its own fails.
  let parent: Int?
  /// Why that one could not be made, if that became known while this one waited for its turn.
  var parentError: Errno?
  var settings: ChannelSettings
  var creation = Creation.underWay
  var isClosed = false
  var isStopped = false
  var hasCleanedUp = false
  /// Operations whose last handler has not returned.
  private(set) var open: [Int: any ChannelOperation] = [:]
  private(set) var nextNumber = 0
  /// Barriers that have not ended.
  var barrierCount = 0
  /// Reads that were made at once and whose handler has not returned.
  var readAtOnceCount = 0

  /// Makes one whose creation is under way.
  ///
  /// Only the position of the descriptor, if there is one, is asked for at once: no file system
  /// asks anybody for it, and the caller may move it as soon as the channel is made.
  init(
    kind: IOChannel.Kind,
    of descriptor: BorrowedDescriptor? = nil,
    limits: DeliveryLimits,
    isHidden: Bool = false,
    parent: Int? = nil
  ) {
    self.kind = kind
    position =
      switch (kind, descriptor) {
      case (.random, let descriptor?):
        Result { () throws(Errno) in try descriptor.position() }
      default: nil
      }
    settings = ChannelSettings(limits: limits)
    self.isHidden = isHidden
    self.parent = parent
  }

  var creationError: Errno? {
    if case .failed(let error) = creation { error } else { nil }
  }

  /// From where random offsets of its operations count, or why none may begin.
  var base: Result<Int64, Errno> {
    switch creation {
    case .underWay: .failure(.canceled)
    case .failed(let error): .failure(error)
    case .done(let base): isStopped ? .failure(.canceled) : .success(base)
    }
  }

  /// From where a read that is made at once counts; nil where it has to go the usual way.
  func base(of read: ReadAtOnce) -> Int64? {
    guard kind == .random, !isClosed, case .done(let base) = creation else { return nil }
    return !read.hasHandler || read.length <= settings.limits.highWater ? base : nil
  }

  /// Whether its cleanup waits for no other channel, as its creation failed or it is hidden, and
  /// the time for it has come.
  var mayCleanUpAlone: Bool {
    isQuiet && !hasCleanedUp && (isHidden ? isClosed : creationError != nil)
  }

  /// Whether nothing of it waits or runs, handlers included.
  var isQuiet: Bool { open.isEmpty && barrierCount == 0 && readAtOnceCount == 0 }

  /// Why it takes no operation, if it does not.
  var refusal: Errno? { isClosed ? .canceled : creationError }

  /// Takes an operation, which `make` makes with its number, or says why not.
  mutating func add<Operation: ChannelOperation>(
    _ make: (_ number: Int, ChannelSettings) -> Operation
  ) -> Result<Operation, Errno> {
    if let refusal { return .failure(refusal) }
    let operation = make(nextNumber, settings)
    open[nextNumber] = operation
    nextNumber += 1
    return .success(operation)
  }

  /// Notes that the last handler of an operation has returned.
  mutating func remove(_ operation: Int) {
    open[operation] = nil
  }

  /// The operations that are open, in the order of their submission.
  var openOperations: [any ChannelOperation] {
    open.sorted { $0.key < $1.key }.map(\.value)
  }
}
