import IOChannelsSystem

/// The parts of one run of a copier that its operands use.
struct CopyParts: Sendable {
  let held: HeldDirectories
  let hidden: HiddenFiles
  let links: HardLinks
  let space: SpaceCheck
  let walk: TreeWalk

  /// Connects the parts of a copy, or those of a dry run.
  init(_ context: CopyContext, jobs: Int, descriptorLimit: Int) {
    let held = HeldDirectories(jobs: jobs, descriptorLimit: descriptorLimit)
    let files = DestinationFiles(context)
    let metadata = MetadataWriter(context)
    let links = HardLinks(context.options, held, files.hidden)
    let space = SpaceCheck(context)
    let transfer = ContentTransfer(context, space, jobs: jobs)
    let contents = ContentCopier(context, files, transfer, metadata)
    let special = SpecialFileCopier(context, files.hidden, metadata)
    let writer = EntryWriter(held, links, contents, special)
    var effects: any CopyEffects = writer
    if context.options.shard == .finish { effects = ShardFinish(writer, context.options) }
    if context.options.isDryRun { effects = DryRun(context, links) }
    walk = TreeWalk(DirectoryOpener(context, held, effects), writer)
    self.held = held
    self.links = links
    self.space = space
    hidden = files.hidden
  }
}
