import IOChannelsSystem

/// The examination of several destinations of one copy, before anything is changed.
///
/// It refuses a destination that is another one or inside of another one, because each would write
/// to files of the other. It also refuses a destination inside a source, which another destination
/// would get a copy of. All destinations are directories for the sources, or all are the copy
/// itself, so that they get one layout.
struct DestinationCheck {
  /// A destination that was opened.
  private struct Target {
    let path: BytePath
    /// The existing file or directory; nil if there is none.
    let found: FileStatus?
    /// The directory that contains the destination's name; nil if the destination is a directory.
    let parent: FileIdentity?
    /// The name in that directory, without slashes.
    let name: ArraySlice<UInt8>
    /// The destination, if it is a directory, and all directories that contain it.
    let around: Set<FileIdentity>
    /// Whether the destination is a directory that gets the contents of the only operand.
    let isCopy: Bool
    /// Whether the destination is a directory that gets the sources under their own names.
    let holdsSources: Bool

    /// Whether the destination is inside another one.
    func isInside(_ other: Target) -> Bool {
      guard let found = other.found, found.kind == .directory else { return false }
      return around.contains(found.identity)
    }

    /// Whether both destinations are the same file, directory or free name.
    func isSame(as other: Target) -> Bool {
      if let found, let second = other.found { return found.identity == second.identity }
      return parent != nil && parent == other.parent && name == other.name
    }
  }

  private let options: CopyOptions
  private var targets: [Target] = []

  init(_ options: CopyOptions) {
    self.options = options
  }

  /// Adds a destination. `directory` is the open directory that the sources are copied into.
  mutating func add(
    _ place: CopyRun.Place,
    in directory: BorrowedDescriptor
  ) throws(CopyError) {
    let path = place.destination
    do throws(SystemError) {
      let own = try directory.status()
      guard place.directory.isBesideCopy, let name = place.names.first else {
        let around = try OperandOverlap.chain(from: ".", in: directory)
        targets.append(
          Target(
            path: path,
            found: own,
            parent: nil,
            name: [],
            around: around,
            isCopy: false,
            holdsSources: true
          )
        )
        return
      }
      let found = try? directory.status(of: name, following: true)
      let isDirectory = found?.kind == .directory
      targets.append(
        Target(
          path: path,
          found: found,
          parent: isDirectory ? nil : own.identity,
          name: name.bytes.split(separator: UInt8(ascii: "/")).first ?? [],
          around: try OperandOverlap.chain(from: isDirectory ? name : ".", in: directory),
          isCopy: isDirectory,
          holdsSources: false
        )
      )
    } catch {
      throw CopyError(.status, path, error)
    }
  }

  /// The directories that get the contents of the only operand.
  var tops: [FileIdentity] { targets.filter(\.isCopy).compactMap(\.found?.identity) }

  /// Refuses destinations that meet each other or a source directory, or get different layouts.
  func run(_ sources: [BytePath]) throws(CopyError) {
    for (index, target) in targets.enumerated() {
      for other in targets[..<index] {
        if target.isSame(as: other) {
          throw CopyError(.repeatedDestination, other.path, other: target.path)
        }
        for (inner, outer) in [(target, other), (other, target)] where inner.isInside(outer) {
          throw CopyError(.nestedDestination, inner.path, other: outer.path)
        }
      }
    }
    if targets.contains(where: \.holdsSources),
      let target = targets.first(where: { !$0.holdsSources })
    {
      let reason: SystemError = target.found == nil ? .noSuchFileOrDirectory : .notDirectory
      throw CopyError(.target, target.path, reason)
    }
    if options.tree.isRecursive { try refuseInsideSources(sources) }
  }

  /// Refuses a destination inside a source directory. The copy reports sources that cannot be
  /// examined.
  private func refuseInsideSources(_ sources: [BytePath]) throws(CopyError) {
    let follows = options.tree.following != .nothing
    for source in sources {
      guard
        let found = try? BorrowedDescriptor.workingDirectory.status(of: source, following: follows),
        found.kind == .directory,
        let target = targets.first(where: { $0.around.contains(found.identity) })
      else { continue }
      throw CopyError(.destinationInSource, target.path, other: source)
    }
  }
}
