/// The options that decide about existing files.
///
/// They hold no references, so that a copy for each file costs nothing.
struct OverwriteOptions {
  let rule: OverwriteRule
  let updatesOnly: Bool
  let resumes: Bool
  /// The kind of the backups; nil for none.
  let backup: BackupNaming.Kind?
  let removesBeforeOpening: Bool
  let removesAfterFailedOpen: Bool
  let isAtomic: Bool
  let product: CopyProduct
  let copiesBytes: Bool
  let readsSpecialFiles: Bool
  let preserved: PreservedAttributes
  /// Whether an existing file of another kind than its source is removed, as by a copy that removes
  /// what the source lacks.
  var replacesKinds: Bool
  /// The links that are followed at the name.
  var following: CopyOptions.Following

  init(_ options: CopyOptions) {
    rule = options.existing.rule
    updatesOnly = options.existing.updatesOnly
    resumes = options.existing.resumes
    backup = options.existing.backup?.kind
    removesBeforeOpening = options.existing.removesBeforeOpening
    removesAfterFailedOpen = options.existing.removesAfterFailedOpen
    isAtomic = options.isAtomic
    product = options.tree.product
    copiesBytes = options.contents.copiesBytes
    readsSpecialFiles = options.tree.readsSpecialFiles
    preserved = options.metadata.preserved
    replacesKinds = options.deletion.removesExtraneous && options.existing.rule == .always
    following = options.tree.following
  }
}
