internal import IOChannelsLocks
import QueueRuntime
import IOChannelsSystem

/// The modes of files that are created, also where the mode cannot be set later.
extension CopySession {
  /// The mode with which a file is created where a later change is refused: the one of cp.
  func creationMode(for source: FileStatus, in directory: CopyDirectory) -> UInt32 {
    let plain = plainPermissions(for: source) & 0o777
    // A list of the directory would give rights that the source does not give.
    let mayHaveList = options.preserved.contains(.mode) && directory.defaultAccess != nil
    if !options.preserved.contains(.ownership) && !mayHaveList { return plain }
    // Attributes can be set only on a file that its owner may write to.
    let setsAttributes = options.preserved.contains(.extendedAttributes) && !isSuperuser
    return plain & 0o700 | (setsAttributes ? 0o200 : 0)
  }

  /// Creates a file that only its owner may use until it is complete.
  ///
  /// Where the file system refuses or ignores changes of modes, the file has `mode` less the mask
  /// from the start, as with cp. The first file on a file system shows which: it is closed to
  /// others while it is empty.
  func create(
    _ name: BytePath,
    _ flags: OpenFlags,
    as targetName: CopyTarget.Name,
    _ job: FileJob,
    _ mode: UInt32,
    in pair: DirectoryPair
  ) throws(SystemError) -> CopyTarget {
    let device = job.directory.destination.identity.device
    let setsModes = places.withLock { $0[device].setsModes }
    let file = try pair.destination.open(
      name,
      flags,
      permissions: setsModes ?? false ? CopySession.closedMode : mode
    )
    var target = CopyTarget(file, targetName)
    target.keepsMode = setsModes == false
    guard setsModes == nil, mode != CopySession.closedMode,
      let created = try? target.file.status().permissions, created != CopySession.closedMode
    else { return target }
    do throws(SystemError) {
      try target.file.setPermissions(CopySession.closedMode)
      target.keepsMode = try target.file.status().permissions & 0o777 != CopySession.closedMode
      // A file system that changes some of the bits gets them back.
      if target.keepsMode {
        try target.file.setPermissions(mode & ~creationMask(in: job.directory))
      }
    } catch {
      // The last change of the mode tells of any other error.
      if !error.isRefusal { return target }
      target.keepsMode = true
    }
    let keepsMode = target.keepsMode
    places.withLock { $0[device].setsModes = !keepsMode }
    return target
  }

  private static let closedMode: UInt32 = 0o600

  /// Sets the mode of a new file for which no mode is preserved.
  func setPlainMode(
    of target: borrowing CopyTarget,
    _ subject: DescribedFile,
    _ job: FileJob,
    from source: FileStatus
  ) {
    let plain = plainPermissions(for: source) & 0o777 & ~creationMask(in: job.directory)
    if target.keepsMode && options.preserved.isDisjoint(with: .ownership) { return }
    if plain != CopySession.closedMode { setPermissions(of: subject, plain) }
  }

  /// Sets the permission bits, and reports what cannot be set.
  func setPermissions(of subject: DescribedFile, _ permissions: UInt32) {
    do throws(SystemError) {
      try changeMode(of: subject, permissions)
    } catch {
      fail(CopyError(.setPermissions, subject.path(), error), subject.worker)
    }
  }

  /// Sets the permission bits, as an access list where the file system refuses or ignores the plain
  /// call, as cp does.
  private func changeMode(of subject: DescribedFile, _ permissions: UInt32) throws(SystemError) {
    var refusal: SystemError?
    let isKnown = places.withLock { places in
      let answers = places[subject.device]
      return answers.setsModes != false && answers.modes.contains(permissions & 0o777)
    }
    let before = isKnown ? nil : (try? subject.file.status())?.mode
    do throws(SystemError) {
      do throws(SystemError) {
        try subject.file.setPermissions(permissions)
      } catch .badFileDescriptor {
        // A handle is not open.
        try subject.file.setPermissionsOfHandle(permissions)
      }
    } catch {
      if !error.isRefusal { throw error }
      refusal = error
    }
    if refusal == nil && isKnown { return }
    guard let mode = (try? subject.file.status())?.mode else { return }
    let isSet = (mode ^ permissions) & 0o777 == 0
    if refusal == nil {
      places.withLock { places in
        // A mode that was there before shows nothing.
        if before != mode || !isSet { places[subject.device].setsModes = isSet }
        if isSet { places[subject.device].modes.insert(permissions & 0o777) }
      }
    }
    if isSet && (refusal == nil || !options.preserved.contains(.mode)) { return }
    try setModeByList(of: subject, permissions, refusal)
  }

  private func setModeByList(
    of subject: DescribedFile,
    _ permissions: UInt32,
    _ refusal: SystemError?
  ) throws(SystemError) {
    if options.preserved.contains(.mode) || options.isAtomic {
      do throws(SystemError) {
        let list = AccessList(permissions: permissions)
        try subject.file.setAttribute(AccessList.access, to: list.bytes)
        if permissions & 0o7000 == 0 { return }
      } catch {
        switch error {
        case .notSupported, .noFunction, .invalidArgument: break
        default: throw error
        }
      }
    }
    if let refusal { throw refusal }
  }

  /// Removes an access list; a refusal counts only where there is one.
  func removeList(
    of file: BorrowedDescriptor,
    _ kind: BytePath = AccessList.access
  ) throws(SystemError) {
    do throws(SystemError) {
      try file.removeAccessList(kind)
    } catch {
      guard error.isRefusal, try file.accessList(kind) == nil else { throw error }
    }
  }
}
