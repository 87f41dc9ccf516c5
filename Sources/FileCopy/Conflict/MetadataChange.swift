import IOChannelsEngine
import IOChannelsSystem

/// The metadata of a file or directory that has the contents of its source, and of that source.
///
/// A write to neither of them changes the owner, mode or attributes, so that equal modification
/// times prove nothing about these.
struct MetadataChange {
  // The context itself would be retained for each file.
  private let preserved: PreservedAttributes
  private let isSuperuser: Bool
  private let pair: DirectoryPair
  private let source: FileStatus
  private let found: FileStatus

  init(_ item: CopyItem, _ source: FileStatus, _ found: FileStatus) {
    preserved = item.context.options.metadata.preserved
    isSuperuser = item.context.isSuperuser
    pair = item.pair
    self.source = source
    self.found = found
  }

  /// Compares a directory of the destination, whose status is `found`, with its source.
  init(
    _ context: CopyContext,
    _ directory: CopyDirectory,
    in pair: DirectoryPair,
    _ found: FileStatus
  ) {
    preserved = context.options.metadata.preserved
    isSuperuser = context.isSuperuser
    self.pair = pair
    source = directory.source
    self.found = found
  }

  /// Whether the file must be created again, because its owner or mode must not change in place.
  ///
  /// A file with several names may be another file under one of them. A link is created anew.
  var needsCopy: Bool {
    if source.kind == .symbolicLink { return hasOtherOwner && areStored }
    return needsNewOwner || found.links > 1 && hasOtherRights && areStored
  }

  /// Whether another user owns the file who does not own the source, and would lose it.
  ///
  /// That user may have chosen its contents, and may have it open for writing.
  var needsNewOwner: Bool {
    hasOtherOwner && found.owner != source.owner && found.owner != ProcessLimits.effectiveUser
  }

  /// Whether the status shows that the file would get rights that it does not have.
  var givesRights: Bool {
    if hasOtherOwner { return true }
    return preserved.contains(.mode) && source.permissions & ~found.permissions != 0
  }

  /// Whether the metadata of a regular file may differ from those to preserve.
  ///
  /// Attributes are not read for that. They may have changed if the status of the source did, at
  /// the time of the last change of the copy or later. Other file systems may invent these times.
  var isPossible: Bool {
    let attributes: PreservedAttributes = [
      .mode, .ownership, .extendedAttributes, .securityContext,
    ]
    guard source.kind == .regular, found.links == 1, source.identity != found.identity,
      !preserved.isDisjoint(with: attributes),
      isSuperuser || found.owner == ProcessLimits.effectiveUser
    else { return false }
    if hasOtherRights { return true }
    if isChangedLater { return false }
    return areStored && FileSystemKind(of: pair.source).keepsTimes
  }

  /// Whether the status of a directory shows that its metadata may differ from those to preserve.
  ///
  /// A run sets the times of a directory last, and each later change of a name replaces them.
  var isPossibleForDirectory: Bool {
    if found.modified != source.modified || !isChangedLater { return true }
    if preserved.contains(.mode) && found.permissions != source.permissions { return true }
    return preserved.contains(.ownership)
      && (found.owner, found.group) != (source.owner, source.group)
  }

  /// Whether the status of the destination changed after that of the source.
  ///
  /// A file system that stores whole seconds rounds down.
  private var isChangedLater: Bool {
    if source.changed.nanoseconds > 0 { return found.changed > source.changed }
    return found.changed.seconds > source.changed.seconds
  }

  private var hasOtherRights: Bool {
    if hasOtherOwner { return true }
    // Without the owner, a copy does not get the set-id bits.
    let bits: UInt32 = isSuperuser ? 0o7777 : 0o777
    return preserved.contains(.mode) && (found.permissions ^ source.permissions) & bits != 0
  }

  /// Whether the owner or group differs and can be changed, which only the superuser can.
  private var hasOtherOwner: Bool {
    preserved.contains(.ownership) && isSuperuser
      && (found.owner, found.group) != (source.owner, source.group)
  }

  /// Whether the destination's file system stores owners and modes.
  private var areStored: Bool { FileSystemKind(of: pair.destination).keepsTimes }
}
