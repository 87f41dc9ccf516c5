internal import IOChannelsLocks
import IOChannelsSystem
import Synchronization

/// Files with a hidden name until they are complete, and those that killed copies left behind.
///
/// A hidden name identifies its process. Only the names of processes that have certainly ended are
/// removed. A lock proves nothing if one directory is seen through two mounts.
final class HiddenFiles: Sendable {
  private let creator: FileCreator
  /// The names of operands in the destination that look like hidden names or are dots.
  private let operands = BargingLock<[BytePath]>([])
  /// Held while one file shows whether its file system renames.
  private let renaming = BargingLock<Void>(())
  /// Held from the check whether a name is free until it is taken, where one call cannot do both.
  private let freeNames = BargingLock<Void>(())
  private let knownOwner = BargingLock<ProcessIdentity?>(nil)
  private let number = Atomic<UInt64>(UInt64.random(in: .min ... .max))
  /// The files of ended copies that this one may continue.
  private let partial = PartialFiles()

  init(_ creator: FileCreator) {
    self.creator = creator
  }

  /// Protects the names of operands from being removed as leftovers.
  func protect(operands names: [BytePath]) {
    operands.withLock { operands in
      operands = names.filter { HiddenNames.contain($0) || OperandNames.isDot($0) }
    }
  }

  /// Returns an unpredictable hidden name, with an even number.
  private func nextName() -> BytePath {
    let number = number.wrappingAdd(0x9e37_79b9_7f4a_7c15, ordering: .relaxed).newValue
    return HiddenNames.name(number & ~1, of: owner)
  }

  /// The process in the hidden names of this copy. Without `/proc` it is one that never ends.
  private var owner: ProcessIdentity {
    knownOwner.withLock { known in
      let owner =
        known ?? ProcessIdentity.current
        ?? ProcessIdentity(host: .random(in: .min ... .max), number: 0, start: 0)
      known = owner
      return owner
    }
  }

  /// Creates a file with a hidden name, which has a number if a later copy is to find it.
  ///
  /// Before the first one on a file system, an empty file shows whether the file system renames. A
  /// refusal after the contents were written would cost a second copy of them.
  ///
  /// - Throws: ``CopyProblem/rename`` with the refusal of a file system that does not rename.
  func create(
    _ item: CopyItem,
    mode: UInt32,
    number: UInt64? = nil
  ) throws(CopyError) -> DestinationFile {
    removeLeftovers(item)
    let isTried =
      if case .success = item.destinationSystem.withAnswers({ $0.renaming }) {
        true
      } else {
        false
      }
    if !isTried {
      // The file of one thread is enough where even its removal is refused.
      let result = renaming.withLock { _ in
        Result { () throws(CopyError) in try tryRename(item, mode) }
      }
      try result.get()
    }
    let name = number.map { HiddenNames.name($0, of: owner) } ?? nextName()
    return try create(item, mode, name)
  }

  /// Renames an empty file of its own, unless the answer of its file system is known.
  ///
  /// The file is closed and removed. Some file systems, as mergerfs, find an open file by the name
  /// with which it was opened, so that the file of a copy is not renamed before it is complete.
  private func tryRename(_ item: CopyItem, _ mode: UInt32) throws(CopyError) {
    let (system, directory) = (item.destinationSystem, item.pair.destination)
    switch system.withAnswers({ $0.renaming }) {
    case .success: return
    case .failure(let refusal): throw CopyError(.rename, item.destinationPath, refusal)
    case nil: break
    }
    var trial = try create(item, mode, nextName())
    try? trial.close()
    guard case .temporary(let name) = trial.name else { return }
    do throws(SystemError) {
      // No other process has the new name, so that a plain rename replaces nothing.
      let other = nextName()
      try directory.rename(name, to: other, replacing: true)
      trial.name = .temporary(other)
    } catch {
      trial.discard(item)
      if error.isRefusal || error == .ioError {
        system.withAnswers { $0.renaming = .failure(error) }
      }
      throw CopyError(.rename, item.destinationPath, error)
    }
    trial.discard(item)
    system.withAnswers { $0.renaming = .success(()) }
  }

  /// Links an empty unnamed file of its own, and records that its file system refuses links.
  ///
  /// A refusal that concerns only one file or one name is no reason to rename all further files.
  func tryLink(_ item: CopyItem) {
    let directory = item.pair.destination
    do throws(SystemError) {
      let trial = try creator.create(.unnamed, item, FileCreator.closedMode)
      let name = nextName()
      try directory.link(trial.file, as: name)
      directory.removeOwn(name)
    } catch {
      guard error.allowsAnotherWay, error != .noSuchFileOrDirectory else { return }
      item.destinationSystem.withAnswers { $0.links = false }
    }
  }

  private func create(
    _ item: CopyItem,
    _ mode: UInt32,
    _ name: BytePath
  ) throws(CopyError) -> DestinationFile {
    let make = { (name: BytePath) throws(SystemError) in
      try self.creator.create(.temporary(name), item, mode)
    }
    return try attempt(
      .createFile,
      item.destinationPath,
      try create(name, in: item.pair.destination, make)
    )
  }

  /// Creates a file by a closure. If that fails, removes it, since a file system may create a file
  /// and then fail to open it.
  private func create<Created: ~Copyable>(
    _ name: BytePath,
    in directory: BorrowedDescriptor,
    _ make: (BytePath) throws(SystemError) -> Created
  ) throws(SystemError) -> Created {
    do throws(SystemError) {
      return try make(name)
    } catch {
      if error != .fileExists { directory.removeOwn(name) }
      throw error
    }
  }

  /// Creates a file under a hidden name by a closure, and renames it over the existing file.
  ///
  /// - Returns: False if both names were links to one file, and nothing was changed. Their inode
  ///   numbers do not show that on each file system.
  @discardableResult
  func replace(
    _ item: CopyItem,
    _ make: (BytePath) throws(SystemError) -> Void
  ) throws(SystemError) -> Bool {
    if item.job.isFree { throw .fileExists }
    removeLeftovers(item)
    let (name, directory) = (nextName(), item.pair.destination)
    try create(name, in: directory, make)
    do throws(SystemError) {
      try directory.rename(name, to: item.job.destinationName, replacing: true)
    } catch {
      directory.removeOwn(name)
      throw error
    }
    // A rename of a link over a link to the same file leaves both names.
    return !directory.removeOwn(name)
  }

  /// Creates a file again whose name another process has removed.
  ///
  /// One closure creates it under a hidden name, and the other one completes it there. It is then
  /// renamed, and replaces no file. So the copy needs no further step of the other process.
  ///
  /// - Throws: `EEXIST` if a file has the name by now.
  func createAgain(
    _ item: CopyItem,
    _ make: (BytePath) throws(SystemError) -> Void,
    complete: (BytePath) -> Void
  ) throws(SystemError) {
    removeLeftovers(item)
    let (name, directory) = (nextName(), item.pair.destination)
    try create(name, in: directory, make)
    defer { directory.removeOwn(name) }
    complete(name)
    try rename(name, to: item.job.destinationName, in: directory, mayStay: true)
  }

  /// Calls a closure with a hidden directory that only this user can enter, and with a name in it.
  ///
  /// The directory is removed afterwards, with a file of that name.
  func withEnclosure(
    _ item: CopyItem,
    _ body: (BorrowedDescriptor, BytePath) throws(SystemError) -> Void
  ) throws(SystemError) {
    removeLeftovers(item)
    let (name, directory) = (nextName(), item.pair.destination)
    try directory.makeDirectory(name, permissions: 0o700)
    defer { directory.removeOwn(name, isDirectory: true) }
    let enclosure = try directory.open(name, [.directory, .noFollow])
    // Another user may have put another directory in its place.
    let found = try enclosure.borrowed.status()
    guard found.owner == creator.context.user, found.permissions & 0o077 == 0 else {
      throw .staleFileHandle
    }
    // The file in it has the same name, which no other file has.
    defer { enclosure.borrowed.removeOwn(name) }
    try body(enclosure.borrowed, name)
  }

  /// Removes the hidden name of a killed copy. If it is a directory, it contains at most one file,
  /// of the same name.
  private func removeLeftover(_ name: BytePath, in directory: BorrowedDescriptor) {
    do throws(SystemError) {
      try directory.remove(name)
    } catch .isDirectory {
      if let enclosure = try? directory.open(name, [.directory, .noFollow, .nonBlocking]) {
        try? enclosure.borrowed.remove(name)
      }
      try? directory.removeDirectory(name)
    } catch {
      // It stays, which does no harm.
    }
  }

  /// Links a complete unnamed file to a hidden name, which is renamed to a name that must be free.
  ///
  /// - Throws: `EEXIST` if a file has the name.
  func link(_ file: BorrowedDescriptor, _ item: CopyItem) throws(SystemError) {
    let directory = item.pair.destination
    let make = { (name: BytePath) throws(SystemError) in try directory.link(file, as: name) }
    try createAgain(item, make) { _ in }
  }

  /// Whether an empty file that is created in one directory appears in another one, which then is
  /// the same directory.
  func isShown(in other: BorrowedDescriptor, createdIn directory: BorrowedDescriptor) -> Bool {
    let name = nextName()
    do throws(SystemError) {
      // A directory in which nothing can be created does not grow.
      try create(name, in: directory) { (name: BytePath) throws(SystemError) in
        let creation: OpenFlags = [.writeOnly, .create, .exclusive, .noFollow]
        try directory.open(name, creation, permissions: FileCreator.closedMode).close()
      }
      defer { directory.removeOwn(name) }
      return (try? other.status(of: name)) != nil
    } catch {
      return false
    }
  }

  /// Removes the hidden names of killed copies from a directory before this copy creates the first
  /// one in it. A name that cannot be removed stays, which does no harm.
  ///
  /// A copy that continues an interrupted one does so before it opens the first file, after which
  /// nothing shows that the directory was not complete. Partial files stay until the directory is
  /// complete.
  func removeLeftovers(_ item: CopyItem) {
    if item.directory.isNew { return }
    if creator.context.options.existing.resumes {
      // Each thread waits until the files are removed.
      return partial.add(of: item.directory.destination.identity) { partialLeftovers(item) }
    }
    guard item.directory.set(.cleanedUp) else { return }
    for name in leftovers(item) { removeLeftover(name, in: item.pair.destination) }
  }

  /// Returns the partial files of killed copies, and removes their other files.
  private func partialLeftovers(_ item: CopyItem) -> [BytePath] {
    leftovers(item).filter { name in
      let isPartial = HiddenNames.number(of: name).map { $0 & 1 == 1 } ?? false
      if !isPartial { removeLeftover(name, in: item.pair.destination) }
      return isPartial
    }
  }

  /// Returns the hidden names of killed copies in the directory of a name.
  private func leftovers(_ item: CopyItem) -> [BytePath] {
    guard let listing = try? item.pair.destination.open(".", [.readOnly, .directory]) else {
      return []
    }
    var found: [BytePath] = []
    var reader = DirectoryReader()
    var isAtEnd = false
    while !isAtEnd {
      var entries: [DirectoryEntry] = []
      // An error ends the search.
      isAtEnd = ((try? reader.read(listing.borrowed, into: &entries)) ?? nil) == nil
      found += entries.map(\.name).filter { isLeftover($0, item) }
    }
    return found
  }

  /// Takes over the partial file that an ended copy of the same name left, under a name of this
  /// process.
  ///
  /// - Returns: Nil if there is none, or another copy has taken it.
  func takePartial(_ item: CopyItem) -> BytePath? {
    if item.directory.isNew { return nil }
    let identity = item.directory.destination.identity
    let number = PartialFile.number(of: item.job.destinationName)
    partial.add(of: identity) { partialLeftovers(item) }
    guard let left = partial.take(number, of: identity) else { return nil }
    let name = HiddenNames.name(number, of: owner)
    do throws(SystemError) {
      try rename(left, to: name, in: item.pair.destination)
      return name
    } catch {
      return nil
    }
  }

  /// Removes the files of killed copies that this one did not continue from a complete directory.
  func removeUnused(in directory: CopyDirectory, _ destination: BorrowedDescriptor) {
    if !creator.context.options.existing.resumes || creator.context.beginsNoFiles { return }
    for name in partial.takeAll(of: directory.destination.identity) {
      removeLeftover(name, in: destination)
    }
  }

  /// Whether a name is hidden, its process has ended, and the source has no such file.
  private func isLeftover(_ name: BytePath, _ item: CopyItem) -> Bool {
    guard HiddenNames.isLeftover(name, in: item.pair.destination, seenBy: owner) else {
      return false
    }
    if item.directory.parent == nil {
      return operands.withLock { operands in
        !operands.contains { $0 == name || OperandNames.isDot($0) }
      }
    }
    return (try? item.pair.source.status(of: name)) == nil
  }

  /// Renames a file to a name that must be free, by a second link where the file system has no
  /// rename that never replaces.
  ///
  /// The old name is in `enclosure`, or in the same directory. With `mayStay` it is not an error
  /// that the old name cannot be removed after the link.
  func rename(
    _ name: BytePath,
    of enclosure: BorrowedDescriptor? = nil,
    to final: BytePath,
    in directory: BorrowedDescriptor,
    mayStay: Bool = false
  ) throws(SystemError) {
    let place = enclosure ?? directory
    do throws(SystemError) {
      return try place.rename(name, to: final, in: directory, replacing: false)
    } catch {
      if !error.allowsAnotherWay { throw error }
    }
    do throws(SystemError) {
      try directory.link(name, in: place, as: final)
    } catch {
      if !error.allowsAnotherWay { throw error }
      return try renameIfFree(name, of: place, to: final, in: directory)
    }
    do throws(SystemError) {
      try place.remove(name)
    } catch {
      if !mayStay { throw error }
    }
  }

  /// Renames a file to a name that is free, as far as this process can check. A file that another
  /// process creates between the check and the rename is replaced.
  private func renameIfFree(
    _ name: BytePath,
    of place: BorrowedDescriptor,
    to final: BytePath,
    in directory: BorrowedDescriptor
  ) throws(SystemError) {
    let result = freeNames.withLock { _ in
      Result { () throws(SystemError) in
        do throws(SystemError) {
          _ = try directory.status(of: final)
        } catch .noSuchFileOrDirectory {
          return try place.rename(name, to: final, in: directory, replacing: true)
        }
        throw .fileExists
      }
    }
    try result.get()
  }
}
