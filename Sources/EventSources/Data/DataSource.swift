/// A source of data that the program reports itself.
///
/// ```swift
/// let progress = EventSource.makeUserDataAddSource(queue: .main)
/// progress.setEventHandler { [weak progress] in show(progress?.data ?? 0) }
/// progress.activate()
/// progress.add(data: 1)  // on any thread, any number of times
/// ```
public final class DataSource: EventSource, @unchecked Sendable {
  /// The rule by which data that arrive between two calls of the handler are merged.
  public enum Merging: Hashable, Sendable {
    /// The sum, which wraps around.
    case adding
    /// The bitwise OR of the bits that are in the mask.
    case or(mask: UInt = .max)
    /// The latest value.
    case replacing
  }

  /// The rule of this source.
  public let merging: Merging

  /// Creates a source; its handlers run on the default global queue if `queue` is nil.
  public init(merging: Merging, queue: WorkQueue? = nil) {
    self.merging = merging
    let accumulation: Accumulation =
      switch merging {
      case .adding: .sum
      case .or(let mask): .union(mask: mask)
      case .replacing: .latest
      }
    super.init(core: SourceCore(target: queue, merging: accumulation))
  }

  /// The merged data of the running call of the event handler, 0 outside of it.
  public var data: UInt { core.data }

  /// The mask of the rule ``Merging/or(mask:)``.
  ///
  /// It is 0 for the other rules, and after the source was cancelled.
  public var mask: UInt {
    if case .or(let mask) = merging, !isCancelled { mask } else { 0 }
  }

  /// Merges data by the rule of the source.
  ///
  /// The handler is called unless the merged value is 0. Data that are merged before the activation
  /// are kept. After a cancellation this does nothing.
  ///
  /// - Complexity: O(1)
  public func merge(_ data: UInt) {
    core.merge(data)
  }

  /// Adds data to those that the handler gets next.
  ///
  /// - Precondition: The rule of the source is ``Merging/adding`` (<doc:Rules#S243>).
  public func add(data: UInt) {
    requireUse(merging == .adding, "A source takes add(data:) if its rule is adding.", "S243")
    merge(data)
  }

  /// Combines data by bitwise OR with those that the handler gets next.
  ///
  /// - Precondition: The rule of the source is ``Merging/or(mask:)`` (<doc:Rules#S243>).
  public func or(data: UInt) {
    let isUnion = if case .or = merging { true } else { false }
    requireUse(isUnion, "A source takes or(data:) if its rule is a bitwise OR.", "S243")
    merge(data)
  }

  /// Replaces the data that the handler gets next.
  ///
  /// - Precondition: The rule of the source is ``Merging/replacing`` (<doc:Rules#S243>).
  public func replace(data: UInt) {
    requireUse(
      merging == .replacing,
      "A source takes replace(data:) if its rule is replacing.",
      "S243"
    )
    merge(data)
  }
}

extension EventSource {
  /// Creates a source that merges its data by addition.
  public static func makeUserDataAddSource(queue: WorkQueue? = nil) -> DataSource {
    DataSource(merging: .adding, queue: queue)
  }

  /// Creates a source that merges its data by bitwise OR.
  public static func makeUserDataOrSource(queue: WorkQueue? = nil) -> DataSource {
    DataSource(merging: .or(), queue: queue)
  }

  /// Creates a source that keeps only the latest data.
  public static func makeUserDataReplaceSource(queue: WorkQueue? = nil) -> DataSource {
    DataSource(merging: .replacing, queue: queue)
  }
}
