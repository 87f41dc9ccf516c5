import IOChannelsSystem
import IOChannelsTestSupport

@testable import FileCopy

/// A source and a destination directory for the parts of a copy, without a walk.
struct CopyScene {
  let place: CopyPlace
  let context: CopyContext
  let worker: CopyWorker
  private let held = HeldDirectories(jobs: 1, descriptorLimit: 64)
  private let directory: CopyDirectory
  private let pair: DirectoryPair

  init(_ options: CopyOptions = .archive) throws {
    place = try CopyPlace()
    try place.shell("mkdir source destination")
    context = CopyContext(options, monitor: CopyMonitor())
    worker = CopyWorker(
      context,
      group: CopyWorker.Group(
        jobs: 1,
        start: { _ in },
        makeContext: { [context] group in CopyWorker(context, group: group) },
        perform: { _, _ in },
        retire: { _ in }
      )
    )
    let root = BorrowedDescriptor.workingDirectory
    let source = try root.open(place.path("source"), [.directory])
    let destination = try root.open(place.path("destination"), [.directory])
    let (from, to) = (try source.borrowed.status(), try destination.borrowed.status())
    directory = CopyDirectory(
      parent: nil,
      operand: CopyOperand(source: "source", destination: "destination"),
      sourceName: "source",
      destinationName: "destination",
      source: from,
      destination: to,
      systems: context.systems.pair(from.identity.device, to.identity.device),
      isNew: false,
      user: context.user,
      defaultAccess: nil,
      followsSource: false,
      followsDestination: false
    )
    pair = held.hold(directory, source: source, destination: destination)
  }

  /// Returns the item of a name that is the same on both sides.
  func item(_ name: String) -> CopyItem {
    let name = BytePath(name)
    let job = FileJob(directory: directory, sourceName: name, destinationName: name)
    return CopyItem(job, in: pair, worker)
  }
}
