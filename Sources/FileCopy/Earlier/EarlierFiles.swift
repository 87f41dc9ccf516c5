internal import IOChannelsLocks
import IOChannelsSystem

/// The files of an earlier copy, of which unchanged ones are shared.
final class EarlierFiles: Sendable {
  let sharing: EarlierCopy.Sharing
  private let root: OwnedDescriptor
  private let rules: AttributeRules
  private let preserved: PreservedAttributes
  /// The file systems of earlier files and of copies.
  private let systems = KnownFileSystems()

  /// Opens the earlier copy that options request; nil if they request none.
  ///
  /// - Throws: ``CopyProblem/earlierCopy`` if it cannot be opened.
  static func open(for options: CopyOptions) throws(CopyError) -> EarlierFiles? {
    guard let request = options.earlier else { return nil }
    return try attempt(.earlierCopy, request.path, try EarlierFiles(request, options))
  }

  private init(_ request: EarlierCopy, _ options: CopyOptions) throws(SystemError) {
    root = try BorrowedDescriptor.workingDirectory.open(request.path, [.path, .directory])
    sharing = request.sharing
    rules = AttributeRules.ofSystem(for: options)
    preserved = options.metadata.preserved
  }

  /// Opens the unchanged file at the place of a copy; nil if there is none.
  ///
  /// No component of its path is a symbolic link.
  private func open(_ item: CopyItem, for source: FileStatus) -> OwnedDescriptor? {
    let path = item.pathInCopy
    let parent = BytePath("..")
    guard let name = path.lastComponent, source.kind == .regular,
      OperandNames.components(path).first != parent,
      let directory = try? item.worker.earlierDirectory(below: root.borrowed)
        .move(to: path.removingLastComponent()),
      let file = try? directory.openRegular(name, .noTerminal, following: false),
      let found = try? file.borrowed.status(), found.kind == .regular,
      isTrusted(found, source),
      found.hasSameContent(as: source), found.identity != source.identity
    else { return nil }
    return file
  }

  /// Whether no user but the owner of the source and this one could give a file its contents.
  private func isTrusted(_ found: FileStatus, _ source: FileStatus) -> Bool {
    found.owner == source.owner || found.owner == ProcessLimits.effectiveUser
  }

  /// Shares the blocks of the unchanged file at the place of a copy.
  ///
  /// - Returns: The length of the file; nil if the source must be copied.
  func clone(_ files: borrowing FilePair, _ item: CopyItem) throws(DataFailure) -> Int64? {
    guard sharing == .blocks, let file = open(item, for: files.status),
      let found = try? file.borrowed.status()
    else { return nil }
    let systems = systems.pair(found.identity.device, item.destinationSystem.device)
    guard systems.clones != .refused, mayShare(file.borrowed, found, files, item) else {
      return nil
    }
    do throws(SystemError) {
      try files.destination.clone(from: file.borrowed)
    } catch {
      if systems.noteFailedClone(error) { return nil }
      throw DataFailure(side: .cloning, error: error)
    }
    systems.noteClone()
    files.progress.count(bytes: files.status.size)
    return files.status.size
  }

  /// Whether each user who may read the copy may read the earlier file.
  ///
  /// Another user who owns its directory may have given it the name of another file.
  private func mayShare(
    _ file: BorrowedDescriptor,
    _ found: FileStatus,
    _ files: borrowing FilePair,
    _ item: CopyItem
  ) -> Bool {
    if found.permissions & 0o044 == 0o044 { return true }
    // An existing file may keep its mode. Without its owner, a copy has the group of its directory.
    let keepsGroup = preserved.contains(.ownership) || found.permissions & 0o040 == 0
    guard preserved.contains(.mode) || item.job.isUnseen, keepsGroup,
      hasSameRights(found, files.status, item)
    else { return false }
    do throws(SystemError) {
      return try file.accessList() == files.source.accessList()
    } catch {
      return false
    }
  }

  /// Opens the unchanged file at the place of a copy, if it has the metadata that the copy would
  /// get.
  func linkable(_ item: CopyItem, to source: borrowing SourceFile) -> OwnedDescriptor? {
    guard sharing == .hardLinks, let file = open(item, for: source.status),
      let found = try? file.borrowed.status(),
      hasSameRights(found, source.status, item),
      hasSameAttributes(file.borrowed, source.file)
    else { return nil }
    return file
  }

  private func hasSameRights(
    _ found: FileStatus,
    _ source: FileStatus,
    _ item: CopyItem
  ) -> Bool {
    if preserved.contains(.ownership) {
      if found.owner != source.owner || found.group != source.group { return false }
    } else if found.owner != ProcessLimits.effectiveUser {
      return false
    }
    if preserved.contains(.mode) { return found.permissions == source.permissions }
    let modes = item.context.modes
    // A default access list that another user may have removed since widens nothing.
    let access = item.control.isOwned ? item.directory.defaultAccess : nil
    let mask = modes.creationMask(under: access)
    return found.permissions == modes.plainPermissions(for: source) & 0o777 & ~mask
  }

  /// Whether two files have the same access lists and extended attributes, as far as they are
  /// preserved; false if that is unknown.
  private func hasSameAttributes(_ file: BorrowedDescriptor, _ source: BorrowedDescriptor) -> Bool {
    do throws(SystemError) {
      // Without its mode, a copy does not get the access list of its source. But no name may lead
      // to a file whose list grants more.
      let (list, wanted) = (try file.accessList(), try source.accessList())
      let isNarrower = list == nil && !preserved.contains(.mode)
      guard list == wanted || isNarrower else { return false }
      if preserved.isDisjoint(with: [.extendedAttributes, .securityContext]) { return true }
      let names = try copiedNames(of: source)
      guard try copiedNames(of: file) == names else { return false }
      for name in names {
        guard try file.attribute(name) == source.attribute(name) else { return false }
      }
      return true
    } catch {
      return false
    }
  }

  private func copiedNames(of file: BorrowedDescriptor) throws(SystemError) -> Set<BytePath> {
    do throws(SystemError) {
      return Set(try file.attributeNames().filter { rules.copies($0, preserved) })
    } catch .notSupported {
      return []
    }
  }
}
