import IOChannelsSystem

extension CopySession {
  /// How often the next number is tried when somebody else takes one at the same time.
  private static let numberAttempts = 64

  /// Gives a file that is in the way another name.
  ///
  /// - Returns: The name, nil when the file was gone.
  func backUp(
    _ job: FileJob,
    _ naming: BackupNaming,
    in pair: DirectoryPair
  ) throws(CopyError) -> BytePath? {
    let names = BackupNames(naming: naming, name: job.destinationName)
    do throws(SystemError) {
      var highest: Int?
      if names.dependsOnOthers { highest = try names.highestNumber(in: pair.destination) }
      if options.isDryRun {
        return names.nextNumber(highest: highest).map(names.numbered) ?? names.simple
      }
      guard var number = names.nextNumber(highest: highest) else {
        try pair.destination.rename(job.destinationName, to: names.simple, replacing: true)
        try removeOtherName(of: names.simple, job, in: pair)
        return names.simple
      }
      for _ in 1..<CopySession.numberAttempts {
        do throws(SystemError) {
          let name = names.numbered(number)
          try rename(job.destinationName, to: name, in: pair.destination)
          return name
        } catch .fileExists {
          number += 1
        }
      }
      throw .fileExists
    } catch .noSuchFileOrDirectory {
      return nil
    } catch {
      throw CopyError(.backUp, job.destinationPath, error)
    }
  }

  /// Takes away the name of a file that has its backup's name already: a rename leaves both.
  private func removeOtherName(
    of backup: BytePath,
    _ job: FileJob,
    in pair: DirectoryPair
  ) throws(SystemError) {
    do throws(SystemError) {
      let left = try pair.destination.status(of: job.destinationName)
      guard try pair.destination.status(of: backup).identity == left.identity else { return }
      try pair.destination.remove(job.destinationName)
    } catch .noSuchFileOrDirectory {
      return
    }
  }

  /// Takes a backup back after its copy failed, unless something has the name by now.
  func undoBackup(_ job: FileJob, in pair: DirectoryPair) {
    guard let backup = job.backup, !options.isDryRun else { return }
    do throws(SystemError) {
      try rename(backup, to: job.destinationName, in: pair.destination)
    } catch {
      // The copy is there, or the backup cannot be had: it stays where it is.
      return
    }
    guard let observer = options.observer, observer.observesOperations else { return }
    observer.handle(
      .restored(
        backup: job.directory.destinationPath(backup),
        destination: job.destinationPath
      )
    )
  }
}

extension BackupNames {
  /// The highest number that a backup in a directory has, nil when none has one.
  func highestNumber(in directory: BorrowedDescriptor) throws(SystemError) -> Int? {
    let listing = try directory.open(".", [.readOnly, .directory])
    var reader = DirectoryReader()
    var highest: Int?
    while true {
      var entries: [DirectoryEntry] = []
      let next = try reader.read(listing.borrowed, into: &entries)
      for entry in entries {
        if let number = number(of: entry.name) { highest = max(highest ?? 0, number) }
      }
      if next == nil { return highest }
    }
  }
}
