import IOChannelsSystem

/// The reader of the entries of one directory of the destination that are to be removed.
struct ExtraneousNames {
  /// Some of the entries, in the order of the directory.
  struct Batch {
    var entries: [DirectoryEntry] = []
    /// The number of names that the source has.
    var matchedCount = 0
    /// Whether an entry stays although the source lacks it.
    var hasOthers = false
    /// The position of the next batch; nil at the end of the directory.
    var next: Int64?
  }

  /// The number of entries after which a batch ends. It bounds the memory of a large directory.
  static let batchLimit = 1 << 15

  /// The directory that is copied, which is the one that is read or contains it.
  private let directory: CopyDirectory
  /// The source of the directory that is read; nil if the source lacks it.
  private let source: BorrowedDescriptor?
  /// The filter, which excludes names that stay.
  private let scope: FilterScope

  /// Creates the reader of the destination of a directory.
  init(_ directory: CopyDirectory, source: BorrowedDescriptor) {
    self.init(directory, source: source, directory.scope)
  }

  private init(
    _ directory: CopyDirectory,
    source: BorrowedDescriptor?,
    _ scope: FilterScope
  ) {
    self.directory = directory
    self.source = source
    self.scope = scope
  }

  /// Returns the reader of a subdirectory that the source lacks; nil if all of its entries stay.
  ///
  /// Files with patterns are read in `opened`, the subdirectory of the destination.
  func inside(
    _ name: BytePath,
    _ opened: BorrowedDescriptor
  ) throws(RuleFileError) -> ExtraneousNames? {
    guard let inner = try scope.entering(name, opened) else { return nil }
    return ExtraneousNames(directory, source: nil, inner)
  }

  /// Reads a batch without the names in `staying`, from a position or from the current one on.
  ///
  /// - Throws: The error of the source for any answer but that it lacks the name, or that of the
  ///   directory with its path.
  func read(
    _ listing: BorrowedDescriptor,
    from start: Int64?,
    without staying: Set<BytePath>,
    _ worker: CopyWorker,
    path: () -> BytePath
  ) throws(CopyError) -> Batch {
    var batch = Batch()
    var names: [DirectoryEntry] = []
    if let start { try attempt(.readDirectory, path(), try listing.seekDirectory(to: start)) }
    let manifest = manifestName(in: listing, worker.context)
    // Its directory must stay until it is written.
    batch.hasOthers = manifest != nil
    repeat {
      names.removeAll(keepingCapacity: true)
      do throws(SystemError) {
        batch.next = try worker.reader.read(listing, into: &names)
      } catch {
        throw CopyError(.readDirectory, path(), error)
      }
      for entry in names {
        if staying.contains(entry.name) { continue }
        if try isInSource(entry.name) {
          batch.matchedCount += 1
        } else if entry.name != manifest, let entry = removable(entry, in: listing) {
          batch.entries.append(entry)
        } else {
          batch.hasOthers = true
        }
      }
    } while batch.next != nil && batch.entries.count < ExtraneousNames.batchLimit
    return batch
  }

  /// Returns the name of the manifest of this copy; nil if it is in another directory.
  ///
  /// It may be written before the entries of another destination are removed.
  private func manifestName(
    in listing: BorrowedDescriptor,
    _ context: CopyContext
  ) -> BytePath? {
    guard let location = context.manifestLocation,
      (try? listing.status())?.identity == location.directory
    else { return nil }
    return location.name
  }

  /// Whether the source has a name.
  private func isInSource(_ name: BytePath) throws(CopyError) -> Bool {
    guard let source else { return false }
    do throws(SystemError) {
      _ = try source.status(of: name)
      return true
    } catch {
      switch error {
      case .noSuchFileOrDirectory, .fileNameTooLong: return false
      default: throw CopyError(.status, directory.sourcePath(name), error)
      }
    }
  }

  /// Returns the entry with its kind; nil if it stays, because it is excluded or the hidden file of
  /// a process that may be running.
  private func removable(
    _ entry: DirectoryEntry,
    in listing: BorrowedDescriptor
  ) -> DirectoryEntry? {
    var entry = entry
    if entry.kind == .unknown, let found = try? listing.status(of: entry.name) {
      entry.kind = found.kind
    }
    let isDirectory = entry.kind == .directory
    if scope.keeps(entry.name, isDirectory: isDirectory) { return nil }
    if HiddenNames.contain(entry.name) {
      guard let current = ProcessIdentity.current,
        HiddenNames.isLeftover(entry.name, in: listing, seenBy: current)
      else { return nil }
    }
    return entry
  }
}
