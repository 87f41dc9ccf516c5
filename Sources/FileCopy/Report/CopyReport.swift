/// How the bytes of a regular file came over.
public enum CopyMethod: String, Sendable, Hashable, CaseIterable {
  /// The copy shares the source's blocks.
  case clone
  /// The kernel copied.
  case kernel
  /// Read at once and written at once.
  case oneShot
  /// Read and written through a buffer until the end.
  case stream
  /// Between two file systems.
  case channel
  /// Past the page cache.
  case direct
  /// Only the parts that are allocated.
  case sparse
  /// Without the blocks that hold nothing but zeros.
  case nonZero
  /// Not at all, as was wished.
  case attributes
}

/// What a copy did.
public struct CopyReport: Sendable {
  /// The most failures that are kept one by one; further ones are only counted.
  public static let keptFailures: Int = 1000

  /// Regular files that were copied.
  public internal(set) var files: Int = 0
  /// Directories that were made.
  public internal(set) var directories: Int = 0
  /// Symbolic links that were made.
  public internal(set) var symbolicLinks: Int = 0
  /// Further names that were given to files already copied.
  public internal(set) var hardLinks: Int = 0
  /// FIFOs, sockets and devices that were made.
  public internal(set) var specialFiles: Int = 0
  /// Bytes of regular files that were copied or shared.
  public internal(set) var bytes: Int64 = 0
  /// Of these, the bytes that are shared with the source.
  public internal(set) var clonedBytes: Int64 = 0
  /// Bytes in holes, which were skipped.
  public internal(set) var holeBytes: Int64 = 0
  /// How many files were verified in which way.
  public internal(set) var checks: [CopyCheck: Int] = [:]
  /// How many files came over in which way.
  public internal(set) var methods: [CopyMethod: Int] = [:]
  /// What io_uring carried for the process's channels while this copy ran.
  public internal(set) var ring: RingTotals = RingTotals()
  /// Which way channels go to the kernel and why; nil while the process has used none.
  public internal(set) var channelBackend: String?
  /// How long the copy took.
  public internal(set) var elapsed: Duration = .zero
  /// How many files were copied at a time at most.
  public internal(set) var jobs: Int = 0
  /// Whether the copy was stopped before it was done.
  public internal(set) var isStopped: Bool = false
  /// The number of files kept because ``CopyOptions/confirm`` answered no.
  public internal(set) var declined: Int = 0
  /// How many things failed.
  public internal(set) var failureCount: Int = 0
  /// The first failures, at most ``keptFailures``.
  public internal(set) var failures: [CopyError] = []

  /// Whether everything was copied.
  public var isComplete: Bool { failureCount == 0 && declined == 0 && !isStopped }

  init() {}

  /// Creates the report of a copy that was stopped and has not returned, from its progress.
  public init(unfinished progress: CopyProgress) {
    files = progress.files
    bytes = progress.bytes
    failureCount = progress.failures
    elapsed = progress.elapsed
    isStopped = true
  }

  mutating func add(_ other: CopyReport) {
    files += other.files
    directories += other.directories
    symbolicLinks += other.symbolicLinks
    hardLinks += other.hardLinks
    specialFiles += other.specialFiles
    bytes.grow(by: other.bytes)
    clonedBytes.grow(by: other.clonedBytes)
    holeBytes.grow(by: other.holeBytes)
    isStopped = isStopped || other.isStopped
    checks.merge(other.checks, uniquingKeysWith: +)
    methods.merge(other.methods, uniquingKeysWith: +)
    declined += other.declined
    failureCount += other.failureCount
    failures += other.failures.prefix(CopyReport.keptFailures - failures.count)
  }

  mutating func add(_ failure: CopyError) {
    failureCount += 1
    if failures.count < CopyReport.keptFailures { failures.append(failure) }
  }

  mutating func addFile(_ method: CopyMethod, bytes count: Int64) {
    files += 1
    bytes.grow(by: count)
    if method == .clone { clonedBytes.grow(by: count) }
    methods[method, default: 0] += 1
  }
}

extension Int64 {
  /// Adds a number of bytes, up to the largest number: a source may say that it has any length.
  mutating func grow(by count: Int64) {
    let (sum, overflows) = addingReportingOverflow(count)
    self = overflows ? .max : sum
  }
}
