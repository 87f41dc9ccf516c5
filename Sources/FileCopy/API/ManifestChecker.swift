import IOChannelsSystem

/// A comparison of directories with the manifests of their copies.
///
/// Reads bypass the page cache where the file system supports that. The manifest may be one that
/// `sha256sum`, `b2sum` or `xxhsum -H2` has printed.
public struct ManifestChecker: Sendable {
  private let jobs: Int
  private let observe: @Sendable (ManifestFinding) -> Void

  /// Creates a comparison that reads several files at once.
  ///
  /// - Parameters:
  ///   - jobs: The number of files that are read at once, at least 1; by default, the number of
  ///     usable processors.
  ///   - observe: A handler that receives each difference. Threads of the comparison may call it
  ///     concurrently.
  /// - Precondition: `jobs` is nil or at least 1.
  public init(
    jobs: Int? = nil,
    observe: @escaping @Sendable (ManifestFinding) -> Void = { _ in }
  ) {
    requireUse(jobs.map { $0 >= 1 } ?? true, "A comparison needs at least one job.", "S174")
    self.jobs = jobs ?? ProcessorCount.usable
    self.observe = observe
  }

  /// Compares a directory with its manifest, and blocks the calling thread until that ends.
  ///
  /// No name of the manifest leads out of the directory, and no symbolic link in it is followed.
  /// The manifest is stored in memory.
  ///
  /// - Parameters:
  ///   - directory: The directory to which the names of the manifest are relative.
  ///   - manifest: The path of the manifest. It need not list itself.
  ///   - monitor: A monitor of no other copy, which may stop the comparison.
  /// - Returns: The numbers of equal files and of differences.
  /// - Throws: ``ManifestError`` if the manifest cannot be used, or the directory not be opened. No
  ///   file was read then.
  @available(*, noasync, message: "It blocks a thread that tasks need")
  public func compareAndWait(
    _ directory: some BytePathConvertible,
    with manifest: some BytePathConvertible,
    monitor: CopyMonitor = CopyMonitor()
  ) throws(ManifestError) -> ManifestReport {
    let list = try ManifestList(readingFrom: manifest.bytePath)
    let path = directory.bytePath
    let root: OwnedDescriptor
    do throws(SystemError) {
      root = try BorrowedDescriptor.workingDirectory.open(path, [.readOnly, .directory])
    } catch {
      throw ManifestError(.system(error), path)
    }
    let limit = HeldDirectories.jobs(jobs, descriptorLimit: ProcessLimits.descriptors)
    return ManifestComparison(list, root, monitor, observe).run(jobs: limit)
  }
}
