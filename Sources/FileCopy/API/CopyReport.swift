/// The method that copied the contents of a regular file.
public enum CopyMethod: String, Sendable, Hashable, CaseIterable {
  /// A clone: the copy shares the blocks of its source, or of the earlier copy (``EarlierCopy``).
  case clone
  /// A copy inside the kernel (`copy_file_range`).
  case kernel
  /// One read and one write.
  case oneShot
  /// Reads and writes through a buffer, until the end of the file.
  case stream
  /// Direct I/O, which bypasses the page cache.
  case direct
  /// Only the allocated parts of the source, so that its holes are preserved.
  case sparse
  /// Only the blocks that are not all zeros; the others become holes.
  case nonZero
  /// No transfer: an existing file had the same bytes already (``CopyOptions/Existing/resumes``).
  case compared
  /// No contents, as ``CopyOptions/Contents/copiesBytes`` requested.
  case attributes
}

/// A number for each method, without a dictionary, whose first use takes long.
struct MethodCounts {
  private var numbers = InlineArray<9, Int>(repeating: 0)

  subscript(method: CopyMethod) -> Int {
    get { numbers[MethodCounts.index(of: method)] }
    set { numbers[MethodCounts.index(of: method)] = newValue }
  }

  mutating func add(_ other: MethodCounts) {
    for index in numbers.indices { numbers[index] += other.numbers[index] }
  }

  private static func index(of method: CopyMethod) -> Int {
    switch method {
    case .clone: 0
    case .kernel: 1
    case .oneShot: 2
    case .stream: 3
    case .direct: 4
    case .sparse: 5
    case .nonZero: 6
    case .compared: 7
    case .attributes: 8
    }
  }
}

/// The results of a copy.
public struct CopyReport: Sendable {
  /// The maximum number of failures that a report lists. Further ones are only counted.
  public static let keptFailureCount: Int = 1000

  /// The number of regular files copied.
  public internal(set) var fileCount: Int = 0
  /// The number of directories created.
  public internal(set) var directoryCount: Int = 0
  /// The number of symbolic links created.
  public internal(set) var symbolicLinkCount: Int = 0
  /// The number of hard links created.
  public internal(set) var hardLinkCount: Int = 0
  /// The number of FIFOs, sockets and devices created.
  public internal(set) var specialFileCount: Int = 0
  /// The number of entries removed because the source lacks them.
  ///
  /// For a dry run it is the number of entries that a copy would remove.
  public internal(set) var removedCount: Int = 0
  /// The number of bytes of regular files copied or shared.
  public internal(set) var byteCount: Int64 = 0
  /// The number of those bytes that are shared with the source or an earlier copy.
  public internal(set) var clonedByteCount: Int64 = 0
  /// The number of those bytes that an interrupted copy had left, and that were only compared.
  public internal(set) var resumedByteCount: Int64 = 0
  /// The number of bytes in holes, which were skipped.
  public internal(set) var holeByteCount: Int64 = 0
  /// The numbers of verified files, one for each kind of verification.
  public internal(set) var checkCounts: [CopyCheck: Int] = [:]
  /// The numbers of regular files, one for each method that copied them.
  public var methodCounts: [CopyMethod: Int] {
    var counts: [CopyMethod: Int] = [:]
    for method in CopyMethod.allCases where methods[method] > 0 { counts[method] = methods[method] }
    return counts
  }
  var methods = MethodCounts()
  /// The backend of the channels and the reason for it; nil if the process has used none.
  package internal(set) var channelBackend: String?
  /// The duration of the copy.
  public internal(set) var elapsed: Duration = .zero
  /// The limit on the number of files that are copied at once to each destination.
  public internal(set) var jobs: Int = 0
  /// Whether the copy was stopped before its end.
  public internal(set) var isStopped: Bool = false
  /// The number of files kept because ``CopyOptions/Existing/confirm`` answered no.
  public internal(set) var declinedCount: Int = 0
  /// The number of failures.
  public internal(set) var failureCount: Int = 0
  /// The first failures, at most ``keptFailureCount``.
  public internal(set) var failures: [CopyError] = []
  /// The results for each destination, if there are several; see
  /// ``CopyOptions/furtherDestinations``.
  ///
  /// The other properties are the sums of all destinations then.
  public internal(set) var destinations: [DestinationReport] = []

  /// Whether the copy was not stopped, nothing failed, and no question was answered with no.
  public var isComplete: Bool { failureCount == 0 && declinedCount == 0 && !isStopped }

  init() {}

  /// Creates the report of a copy that was stopped and has not returned, from its progress.
  package init(unfinished progress: CopyProgress) {
    fileCount = progress.fileCount
    byteCount = progress.byteCount
    failureCount = progress.failureCount
    elapsed = progress.elapsed
    isStopped = true
  }

  mutating func add(_ other: CopyReport) {
    fileCount += other.fileCount
    directoryCount += other.directoryCount
    symbolicLinkCount += other.symbolicLinkCount
    hardLinkCount += other.hardLinkCount
    specialFileCount += other.specialFileCount
    removedCount += other.removedCount
    byteCount.grow(by: other.byteCount)
    clonedByteCount.grow(by: other.clonedByteCount)
    resumedByteCount.grow(by: other.resumedByteCount)
    holeByteCount.grow(by: other.holeByteCount)
    isStopped = isStopped || other.isStopped
    if !other.checkCounts.isEmpty {
      checkCounts.merge(other.checkCounts, uniquingKeysWith: +)
    }
    methods.add(other.methods)
    declinedCount += other.declinedCount
    failureCount += other.failureCount
    failures += other.failures.prefix(CopyReport.keptFailureCount - failures.count)
  }

  mutating func add(_ failure: CopyError) {
    failureCount += 1
    if failures.count < CopyReport.keptFailureCount { failures.append(failure) }
  }
}

extension Int64 {
  /// Returns the sum with a number of bytes, at most the maximum, since a source may claim any
  /// length.
  func grown(by count: Int64) -> Int64 {
    let (sum, overflows) = addingReportingOverflow(count)
    return overflows ? .max : sum
  }

  /// Adds a number of bytes like ``grown(by:)``.
  mutating func grow(by count: Int64) { self = grown(by: count) }
}
