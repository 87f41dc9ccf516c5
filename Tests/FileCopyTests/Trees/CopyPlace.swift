import FileCopy
import IOChannelsTestSupport
import Testing

/// A directory of its own with shell access, and copies between names in it.
struct CopyPlace {
  let directory: TemporaryDirectory

  init(in base: String? = nil) throws {
    directory = try TemporaryDirectory(in: base)
  }

  /// Runs a script in the directory.
  @discardableResult
  func shell(_ script: String) throws -> String {
    try runSuccessfully(["bash", "-ec", script], directory: directory.path)
  }

  /// The absolute path of a name.
  func path(_ name: String) -> BytePath { BytePath(directory(name)) }

  /// Copies by full paths, as the working directory belongs to all tests together.
  func copy(
    _ source: String,
    to destination: String,
    _ options: CopyOptions = .archive,
    jobs: Int? = nil,
    placing placement: CopyPlacement = .automatic
  ) -> CopyReport {
    var options = options
    options.jobs = jobs
    return FileCopier(options).report(
      from: path(source),
      to: path(destination),
      placing: placement
    )
  }

  /// The differences of two trees.
  func differences(
    _ one: String,
    _ other: String,
    ignoring: Set<TreeListing.Field> = [.allocated]
  ) throws -> [String] {
    try TreeListing(of: directory(one)).differences(
      from: TreeListing(of: directory(other)),
      ignoring: ignoring
    )
  }

  /// Copies one name, stops the copy after its first bytes, and returns the report.
  ///
  /// The wait suspends the task, since a blocked thread may be the one that the copy needs.
  func copyStopped(_ source: String, to destination: String, _ options: CopyOptions) async
    -> CopyReport
  {
    let (copier, monitor) = (FileCopier(options), CopyMonitor())
    let (source, destination) = (path(source), path(destination))
    let copy = Task { () -> CopyReport in
      do throws(CopyFailure) {
        return try await copier.copy(from: source, to: destination, monitor: monitor)
      } catch {
        return error.report
      }
    }
    for await progress in monitor.updates(every: .milliseconds(1)) where progress.byteCount > 0 {
      break
    }
    monitor.stop()
    return await copy.value
  }

  /// One field of `stat` of a name.
  func stat(_ name: String, _ format: String) throws -> String {
    try String(shell("stat -c '\(format)' '\(name)'").dropLast())
  }

  /// The texts of failures with the place's own path left out.
  func texts(_ report: CopyReport) -> [String] {
    report.failures.map { failure in
      failure.text().split(separator: directory.path + "/").joined()
    }
  }
}

extension FileCopier {
  /// Copies, and returns the report of a complete or incomplete copy.
  func report(
    from sources: [BytePath],
    to destination: BytePath,
    placing placement: CopyPlacement = .automatic,
    monitor: CopyMonitor = CopyMonitor()
  ) -> CopyReport {
    do throws(CopyFailure) {
      return try copyAndWait(from: sources, to: destination, placing: placement, monitor: monitor)
    } catch {
      return error.report
    }
  }

  /// Copies one source, and returns the report of a complete or incomplete copy.
  func report(
    from source: BytePath,
    to destination: BytePath,
    placing placement: CopyPlacement = .automatic,
    monitor: CopyMonitor = CopyMonitor()
  ) -> CopyReport {
    report(from: [source], to: destination, placing: placement, monitor: monitor)
  }
}
