import IOChannelsSystem

/// The backups of existing files, which are created by renaming.
struct Backups: Sendable {
  let hidden: HiddenFiles
  /// The number of further backup numbers that are tried if other processes take them.
  private static let numberAttempts = 64

  /// Renames the existing file to a backup.
  ///
  /// - Returns: The name of the backup, nil if the file did not exist any more.
  func backUp(_ item: CopyItem, _ naming: BackupNaming) throws(CopyError) -> BytePath? {
    let names = BackupNames(naming: naming, name: item.job.destinationName)
    let directory = item.pair.destination
    do throws(SystemError) {
      guard var number = try names.nextNumber(in: directory) else {
        try directory.rename(names.name, to: names.simple, replacing: true)
        try removeOtherName(of: names.simple, item)
        return names.simple
      }
      for _ in 1..<Backups.numberAttempts {
        do throws(SystemError) {
          let name = names.numbered(number)
          try hidden.rename(names.name, to: name, in: directory)
          return name
        } catch .fileExists {
          number += 1
        }
      }
      throw .fileExists
    } catch .noSuchFileOrDirectory {
      return nil
    } catch {
      throw CopyError(.backUp, item.destinationPath, error)
    }
  }

  /// Removes the name of a file that is a hard link to its former backup: a rename leaves both.
  private func removeOtherName(of backup: BytePath, _ item: CopyItem) throws(SystemError) {
    let directory = item.pair.destination
    do throws(SystemError) {
      let left = try directory.status(of: item.job.destinationName)
      guard try directory.status(of: backup).identity == left.identity else { return }
      try directory.remove(item.job.destinationName)
    } catch .noSuchFileOrDirectory {
      return
    }
  }

  /// Undoes a backup after the copy has failed, unless a file has the name by now.
  func restore(_ item: CopyItem) {
    guard let backup = item.job.backup else { return }
    do throws(SystemError) {
      try hidden.rename(backup, to: item.job.destinationName, in: item.pair.destination)
    } catch {
      // The copy exists, or the backup is inaccessible. It stays where it is.
      return
    }
    item.context.operationObserver?.handle(
      .restored(
        backup: item.directory.destinationPath(backup),
        destination: item.destinationPath
      )
    )
  }
}
