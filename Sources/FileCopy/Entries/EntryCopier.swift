import IOChannelsSystem

/// The copier of names that are not directories. It first decides about existing files.
final class EntryCopier: Sendable {
  private let context: CopyContext
  private let conflicts: ConflictResolver
  private let effects: any CopyEffects

  init(
    _ context: CopyContext,
    _ effects: any CopyEffects,
    _ remover: ExtraneousRemover? = nil
  ) {
    self.context = context
    self.effects = effects
    conflicts = ConflictResolver(effects, remover)
  }

  /// Copies a name, and reports its failures.
  ///
  /// The item is borrowed, because a copy of it would retain all of its parts for each file.
  func copy(_ item: borrowing CopyItem, kind: FileKind) {
    if item.worker.isStopped { return effects.restoreBackup(of: item) }
    defer { context.monitor.shared.countFile() }
    // Operands were examined and announced before, and a new directory has no existing files.
    if item.job.operand == nil && effects.examinesFirst && !item.directory.isNew {
      return copyAfterExamining(item, kind: kind)
    }
    if item.job.operand == nil { item.announce() }
    effects.copy(item, kind: kind)
  }

  private func copyAfterExamining(_ item: borrowing CopyItem, kind: FileKind) {
    var item = copy item
    do throws(CopyError) {
      let source = try item.sourceStatus()
      guard try clearWay(for: &item, source) else { return }
    } catch {
      item.fail(error)
      return
    }
    item.announce()
    effects.copy(item, kind: kind)
  }

  /// Examines the existing file, and removes it or backs it up as the options demand.
  ///
  /// `isJustCreated` states that this copy created the file for an earlier operand.
  ///
  /// - Returns: False if the existing file is left alone and nothing is copied.
  func clearWay(
    for item: inout CopyItem,
    _ source: FileStatus,
    isJustCreated: Bool = false
  ) throws(CopyError) -> Bool {
    switch try conflicts.resolve(&item, for: source, isJustCreated: isJustCreated) {
    case .copy: return true
    case .skip:
      context.monitor.shared.omit(bytes: SourceCount.bytes(of: source, context.options))
      context.manifest?.addExisting(item)
      return false
    case .keep(let found, let updatesMetadata):
      item.job.isKept = true
      if try effects.keep(item, found, for: source, updatesMetadata: updatesMetadata) {
        context.monitor.shared.omit(bytes: SourceCount.bytes(of: source, context.options))
        context.manifest?.addExisting(item)
      }
      return false
    }
  }
}
