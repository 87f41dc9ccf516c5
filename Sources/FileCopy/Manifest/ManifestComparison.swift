import IOChannelsEngine
import IOChannelsSystem
import QueueRuntime
import Synchronization

/// The comparison of one directory with its manifest, by several threads.
final class ManifestComparison: Sendable {
  private let list: ManifestList
  private let root: OwnedDescriptor
  private let monitor: CopyMonitor
  private let observe: @Sendable (ManifestFinding) -> Void
  /// The number of the next entry that no thread has begun.
  private let next = Atomic<Int>(0)
  private let total = Mutex(ManifestReport())

  /// The number of entries that a thread takes at a time. They are often in one directory.
  private static let step = 16

  init(
    _ list: ManifestList,
    _ root: consuming OwnedDescriptor,
    _ monitor: CopyMonitor,
    _ observe: @escaping @Sendable (ManifestFinding) -> Void
  ) {
    self.list = list
    self.root = root
    self.monitor = monitor
    self.observe = observe
  }

  /// Compares all files, and returns the report when all threads have ended.
  ///
  /// The calling thread first looks for files that are not listed.
  func run(jobs: Int) -> ManifestReport {
    monitor.shared.begin()
    defer { monitor.shared.end() }
    let pool = BlockingPool(name: "copy", width: max(jobs - 1, 1), runsUserCode: true)
    let group = WorkGroup()
    for _ in 1..<max(jobs, 1) {
      group.enter()
      pool.submit { [self] in
        compareEntries()
        group.leave()
      }
    }
    findExtra()
    compareEntries()
    group.wait()
    return total.withLock { $0 }
  }

  private func note(_ finding: ManifestFinding) {
    total.withLock { $0.add(finding) }
    observe(finding)
  }

  /// Compares the entries that no other thread has begun.
  private func compareEntries() {
    let cursor = DirectoryCursor(at: root.borrowed)
    var report = ManifestReport()
    while !monitor.isStopping {
      let start = next.wrappingAdd(ManifestComparison.step, ordering: .relaxed).oldValue
      if start >= list.entries.count { break }
      let end = min(start + ManifestComparison.step, list.entries.count)
      for entry in list.entries[start..<end] where !monitor.isStopping {
        if let finding = compare(entry, cursor, &report) { note(finding) }
      }
    }
    report.isStopped = monitor.isStopping
    total.withLock { $0.add(report) }
  }

  /// Compares a file, and returns the difference; nil if it is equal.
  private func compare(
    _ entry: ManifestList.Entry,
    _ cursor: DirectoryCursor,
    _ report: inout ManifestReport
  ) -> ManifestFinding? {
    let path = entry.path
    let directory: BorrowedDescriptor
    do throws(SystemError) {
      directory = try cursor.move(to: entry.directory)
    } catch {
      switch error {
      // Another file, or a symbolic link, has the name of the directory.
      case .noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels:
        return .missing(path)
      default: return .unreadable(path, error)
      }
    }
    do throws(SystemError) {
      guard try directory.status(of: entry.name).kind == .regular else { return .changed(path) }
      let file = try directory.openRegular(entry.name, .noTerminal, following: false)
      let digest = ContentDigest(ChecksumAlgorithm(byteCount: entry.digest.count) ?? .sha256)
      let reachesDisk = file.borrowed.readFromDisk()
      try ContentSum.read(file.borrowed, 0..<Int64.max, while: { !monitor.isStopping }) { bytes in
        digest.add(bytes)
      }
      report.byteCount.grow(by: digest.count)
      if monitor.isStopping { return nil }
      guard digest.finish() == entry.digest else { return .changed(path) }
      report.equalCount += 1
      if !reachesDisk { report.cachedCount += 1 }
      return nil
    } catch {
      switch error {
      case .noSuchFileOrDirectory: return .missing(path)
      case .tooManySymbolicLinkLevels: return .changed(path)
      default: return .unreadable(path, error)
      }
    }
  }
}

/// Files that the manifest does not list.
extension ManifestComparison {
  /// Reads all directories and reports the regular files that are not listed.
  private func findExtra() {
    let cursor = DirectoryCursor(at: root.borrowed)
    var reader = DirectoryReader()
    var waiting: [BytePath] = [""]
    while !monitor.isStopping, let path = waiting.popLast() {
      do throws(SystemError) {
        let handle = try cursor.move(to: path)
        // The directory of the cursor has a position, which must be at the start.
        let listing = try handle.open(".", [.readOnly, .directory])
        var next: Int64?
        repeat {
          var names: [DirectoryEntry] = []
          next = try reader.read(listing.borrowed, into: &names)
          for name in names { note(name, in: path, handle, &waiting) }
        } while next != nil && !monitor.isStopping
      } catch {
        note(.unreadable(path.isEmpty ? "." : path, error))
      }
    }
  }

  /// Reports a regular file that is not listed, and remembers a directory.
  private func note(
    _ entry: DirectoryEntry,
    in path: BytePath,
    _ directory: BorrowedDescriptor,
    _ waiting: inout [BytePath]
  ) {
    let full = path.appending(entry.name)
    var kind = entry.kind
    if kind == .unknown { kind = (try? directory.status(of: entry.name))?.kind ?? .unknown }
    if kind == .directory { waiting.append(full) }
    if kind != .regular || list.paths.contains(full) { return }
    // The manifest does not list itself.
    if let identity = list.identity, (try? directory.status(of: entry.name))?.identity == identity {
      return
    }
    note(.extra(full))
  }
}
