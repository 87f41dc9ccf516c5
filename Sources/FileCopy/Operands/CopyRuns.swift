import IOChannelsEngine
internal import IOChannelsLocks
import IOChannelsSystem
import QueueRuntime
import Synchronization

/// One call of a copier: a run for each destination, all at the same time.
final class CopyRuns: Sendable {
  private let runs: [CopyRun]
  private let destinations: [BytePath]
  private let options: CopyOptions
  private let monitor: CopyMonitor
  private let isDone = Atomic<Bool>(false)

  /// Creates a run for each context, which belongs to the destination at the same index.
  init(
    _ contexts: [CopyContext],
    to destinations: [BytePath],
    _ makeRun: (CopyContext) -> CopyRun
  ) {
    options = contexts[0].options
    monitor = contexts[0].monitor
    self.destinations = destinations
    runs = contexts.map(makeRun)
  }

  /// Copies the sources to all destinations, and returns the report when all threads have ended.
  ///
  /// - Throws: An error before anything is changed, if destinations or sources meet.
  func copy(_ sources: [BytePath], _ placement: CopyPlacement) throws(CopyError) -> CopyReport {
    var places = zip(runs, destinations).map { run, destination -> CopyRun.Opening in
      do throws(CopyError) {
        return .opened(try run.open(destination, for: sources, placement))
      } catch {
        return .failed(error)
      }
    }
    if runs.count > 1 { try checkDestinations(&places, sources) }
    // The total of all parts is not that of one.
    let isCounted = options.countsAhead && options.shard == nil
    let openedCount = places.count { $0.place != nil }
    let counting = isCounted ? count(sources, destinations: openedCount) : nil
    beginSpaceChecks(places, sources)
    let reports = copy(sources, to: places)
    isDone.store(true, ordering: .relaxed)
    counting?.wait()
    var report = CopyReport()
    for part in reports { report.add(part) }
    if runs.count > 1 {
      report.destinations = zip(destinations, reports).map { DestinationReport($0, $1) }
    }
    report.jobs = reports[0].jobs
    report.channelBackend = Engine.sharedIfUsed?.choice.reason
    return report
  }

  /// Copies to each place, to the first one on the calling thread, and returns their reports.
  private func copy(
    _ sources: [BytePath],
    to places: [CopyRun.Opening]
  ) -> [CopyReport] {
    if runs.count == 1 { return [runs[0].copy(sources, to: places[0])] }
    let reports = BargingLock<[Int: CopyReport]>([:])
    let others = WorkGroup()
    let pool = BlockingPool(name: "copy-to", width: runs.count - 1, runsUserCode: true)
    for index in runs.indices.dropFirst() {
      let (run, place) = (runs[index], places[index])
      others.enter()
      pool.submit {
        let report = run.copy(sources, to: place)
        reports.withLock { $0[index] = report }
        others.leave()
      }
    }
    let first = runs[0].copy(sources, to: places[0])
    others.wait()
    return [first]
      + runs.indices.dropFirst().compactMap { index in
        reports.withLock { $0[index] }
      }
  }

  /// Refuses destinations that meet each other or a source.
  ///
  /// A destination that cannot be opened or examined fails alone.
  private func checkDestinations(
    _ places: inout [CopyRun.Opening],
    _ sources: [BytePath]
  ) throws(CopyError) {
    var check = DestinationCheck(options)
    for (index, run) in runs.enumerated() {
      guard let place = places[index].place else { continue }
      do throws(CopyError) {
        try run.parts.held.withPair(of: place.directory) { (pair) throws(CopyError) in
          try check.add(place, in: pair.destination)
        }
      } catch {
        places[index] = .failed(error)
      }
    }
    try check.run(sources)
    for top in check.tops { runs[0].context.shared?.addTop(top) }
  }

  /// Records the free space before the copy. Destinations on one file system share it, and the
  /// first of them that notices a lack reports it.
  private func beginSpaceChecks(_ places: [CopyRun.Opening], _ sources: [BytePath]) {
    let devices = places.map { $0.place?.directory.destination.identity.device }
    for ((run, opening), device) in zip(zip(runs, places), devices) {
      guard let place = opening.place else { continue }
      run.beginSpaceCheck(at: place, for: sources, copies: devices.count { $0 == device })
    }
  }

  /// Counts the contents of the sources, once for each destination that was opened, on a thread of
  /// its own.
  ///
  /// - Returns: A group that is entered until the count has ended.
  private func count(_ sources: [BytePath], destinations: Int) -> WorkGroup {
    let underWay = WorkGroup()
    underWay.enter()
    BlockingPool(name: "copy-count", width: 1).submit { [self] in
      let monitor = monitor
      var count = SourceCount(options) {
        !monitor.isStopping && !self.isDone.load(ordering: .relaxed)
      } report: { found in
        for _ in 0..<destinations { monitor.shared.expect(files: found.files, bytes: found.bytes) }
      }
      for source in sources { count.count(source, from: .workingDirectory) }
      if count.isExact { monitor.shared.setCounted() }
      underWay.leave()
    }
    return underWay
  }
}
