import QueueRuntime
import IOChannelsEngine
import Synchronization
internal import IOChannelsLocks
import IOChannelsSystem

/// One call of a copier, from its operands to its report.
final class CopyRun: Sendable {
  private let session: CopySession
  private let crew: CopyWorker.Crew
  private let total: Retired
  private let jobs: Int
  private let isDone = Atomic<Bool>(false)

  /// What the workers that left have counted.
  private final class Retired: Sendable {
    let report = BargingLock(CopyReport())
  }

  /// Creates a run of at most `jobs` jobs. If `pace` is not nil, it limits the jobs to those that
  /// pay.
  init(session: CopySession, jobs: Int, pace: JobPace?) {
    self.session = session
    self.jobs = jobs
    let total = Retired()
    let lane = BlockingPool(name: "copy", width: max(jobs - 1, 1), runsUserCode: true)
    self.total = total
    crew = CopyWorker.Crew(
      jobs: jobs,
      pace: pace,
      start: { job in lane.submit(job) },
      makeContext: { crew in CopyWorker(crew: crew) },
      perform: { task, worker in session.perform(task, worker) },
      retire: { worker in total.report.withLock { $0.add(worker.report) } }
    )
  }

  func copy(
    _ sources: [BytePath],
    to destination: BytePath,
    _ placement: CopyPlacement
  ) -> CopyReport {
    let worker = CopyWorker(crew: crew)
    let before = RingTotals.soFar()
    session.monitor.begin()
    let counting = session.options.countsAhead ? count(sources) : nil
    do throws(CopyError) {
      let (place, names) = try openPlace(for: sources, destination, placement)
      try session.held.withPair(of: place) { (pair) throws(CopyError) in
        session.noteSpace(at: pair.destination, for: sources, to: destination)
      }
      session.hiddenOperands.withLock { hidden in
        hidden = names.filter { HiddenNames.contain($0) || OperandNames.isDot($0) }
      }
      var operands = OperandCopy(
        session: session,
        worker: worker,
        place: place,
        areSeveral: sources.count > 1
      )
      for (source, name) in zip(sources, names) where !session.isStopped(worker) {
        operands.begin(source, as: name)
      }
      crew.drain(worker)
      session.uniteAllLinks(worker)
    } catch {
      session.fail(error, worker)
    }
    crew.close()
    isDone.store(true, ordering: .relaxed)
    counting?.wait()
    session.monitor.end()
    return total.report.withLock { report in
      report.add(worker.report)
      report.jobs = jobs
      report.elapsed = session.monitor.progress.elapsed
      report.ring = RingTotals.soFar().since(before)
      report.channelBackend = Engine.sharedIfUsed?.choice.reason
      return report
    }
  }

  /// Counts what the sources hold, on a thread of its own.
  ///
  /// - Returns: Entered until the count has ended.
  private func count(_ sources: [BytePath]) -> WorkGroup {
    let underWay = WorkGroup()
    underWay.enter()
    BlockingPool(name: "copy-count", width: 1).submit { [self] in
      let monitor = session.monitor
      var count = SourceCount(session.options) {
        !monitor.isStopping && !self.isDone.load(ordering: .relaxed)
      } tell: { found in
        monitor.expect(files: found.files, bytes: found.bytes)
      }
      for source in sources { count.count(source, from: .workingDirectory) }
      if count.isExact { monitor.setCounted() }
      underWay.leave()
    }
    return underWay
  }

  /// Opens the directory that the operands go to and finds the names they get there.
  private func openPlace(
    for sources: [BytePath],
    _ destination: BytePath,
    _ placement: CopyPlacement
  ) throws(CopyError) -> (CopyDirectory, [BytePath]) {
    if placement != .exactly {
      do throws(SystemError) {
        let target = try BorrowedDescriptor.workingDirectory.open(
          destination,
          [.path, .directory]
        )
        let names = sources.map(OperandNames.nameInDirectory(of:))
        return (try place(target, path: destination), names)
      } catch {
        if placement == .intoDirectory {
          throw CopyError(.targetDirectory, destination, error)
        }
        if sources.count > 1 { throw CopyError(.target, destination, error) }
      }
    }
    if session.options.keepsParents { throw CopyError(.parentsNeedDirectory, destination) }
    let (directory, name) = OperandNames.split(destination)
    do throws(SystemError) {
      let parent = try BorrowedDescriptor.workingDirectory.open(
        directory.isEmpty ? "." : directory,
        [.path, .directory]
      )
      return (try place(parent, path: directory), [name])
    } catch {
      throw missingPlace(sources, destination, error)
    }
  }

  /// What cp says when the directory of the destination is not there.
  private func missingPlace(
    _ sources: [BytePath],
    _ destination: BytePath,
    _ error: SystemError
  ) -> CopyError {
    let follows = session.options.following != .nothing
    for source in sources {
      do throws(SystemError) {
        let status = try BorrowedDescriptor.workingDirectory.status(of: source, following: follows)
        if status.kind == .directory && !session.options.isRecursive {
          return CopyError(.omittedDirectory, source)
        }
        if error != .noSuchFileOrDirectory { return CopyError(.status, destination, error) }
        switch status.kind {
        case .directory: return CopyError(.createDirectory, destination, error)
        case .symbolicLink: return CopyError(.createSymbolicLink, destination, error)
        case .fifo where session.options.isRecursive:
          return CopyError(.createFIFO, destination, error)
        default: return CopyError(.createFile, destination, error)
        }
      } catch {
        return CopyError(.status, source, error)
      }
    }
    return CopyError(.target, destination, error)
  }

  private func place(
    _ destination: consuming OwnedDescriptor,
    path: BytePath
  ) throws(SystemError) -> CopyDirectory {
    let found = try destination.borrowed.status()
    let directory = CopyDirectory(
      parent: nil,
      operand: CopyOperand(source: "", destination: path),
      sourceName: "",
      destinationName: path,
      // The place has no source of its own: operands are named from the working directory, which
      // need not be open to this process.
      source: found,
      destination: found,
      isNew: false,
      // Who cannot ask goes by the mask, which is the narrowest one without `/proc`.
      defaultAccess: (try? destination.borrowed.defaultAccess()) ?? nil,
      followsSource: true,
      followsDestination: true
    )
    _ = session.held.hold(directory, source: nil, destination: destination)
    return directory
  }
}
