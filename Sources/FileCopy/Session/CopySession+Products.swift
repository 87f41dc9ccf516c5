import IOChannelsSystem

extension CopySession {
  /// Gives a source a further name instead of a copy.
  func makeHardLink(_ job: FileJob, in pair: DirectoryPair, _ worker: CopyWorker) {
    do throws(SystemError) {
      do throws(SystemError) {
        try pair.destination.link(
          job.sourceName,
          in: pair.source,
          as: job.destinationName,
          following: job.followsSource
        )
      } catch .fileExists where options.removesAfterFailedOpen || options.overwriting == .ask {
        try replace(job, in: pair) { name throws(SystemError) in
          try pair.destination.link(
            job.sourceName,
            in: pair.source,
            as: name,
            following: job.followsSource
          )
        }
      }
      worker.report.hardLinks += 1
      job.operand?.setMade()
      record(.hardLink, job)
    } catch {
      fail(CopyError(.createHardLink, job.destinationPath, other: job.sourcePath, error), worker)
    }
  }

  /// Makes a symbolic link to a source's path instead of a copy.
  func makeLinkToSource(_ job: FileJob, in pair: DirectoryPair, _ worker: CopyWorker) {
    let path = job.sourcePath
    let here = try? BorrowedDescriptor.workingDirectory.status(of: ".").identity
    // A relative path would lead elsewhere from another directory.
    guard path.isAbsolute || here == job.directory.destination.identity else {
      fail(CopyError(.relativeLink, job.destinationPath), worker)
      return
    }
    do throws(SystemError) {
      do throws(SystemError) {
        try pair.destination.makeSymbolicLink(job.destinationName, to: path)
      } catch .fileExists where options.removesAfterFailedOpen {
        try replace(job, in: pair) { name throws(SystemError) in
          try pair.destination.makeSymbolicLink(name, to: path)
        }
      }
      worker.report.symbolicLinks += 1
      job.operand?.setMade()
      record(.symbolicLink, job)
    } catch {
      fail(CopyError(.linkToSource, job.destinationPath, other: path, error), worker)
    }
  }
}
