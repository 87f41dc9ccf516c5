import IOChannelsSystem

/// A new file with a hidden name in the directory of the file that it will replace.
///
/// All members make system calls that may block. The two descriptors are the caller's to close.
struct UnpublishedFile: Sendable {
  /// The directory of both names, open for reading so that it can be flushed.
  let directory: BorrowedDescriptor
  /// The directory as a path, for messages.
  let directoryPath: BytePath
  /// The new file.
  let descriptor: BorrowedDescriptor
  private let name: BytePath
  private let finalName: BytePath
  private let replaced: ReplacedFile?

  /// The number of attempts to find a free name; more means that the directory is unusual.
  private static let attempts = 16
  /// The mode of a file until it has that of the file that it replaces.
  private static let closedMode: UInt32 = 0o600

  /// Creates the file. Symbolic links at the path are followed.
  ///
  /// - Throws: `EISDIR` for a directory and `EINVAL` for another file that is not regular.
  init(for path: BytePath, permissions: UInt32) throws(IOChannelError) {
    let place = try FinalPlace.find(path)
    switch place.status?.kind {
    case nil, .regular: break
    case .directory: throw IOChannelError(.rename, of: .path(path), reason: .isDirectory)
    default: throw IOChannelError(.rename, of: .path(path), reason: .invalidArgument)
    }
    replaced = place.status.map { ReplacedFile($0, place.name, in: place.directory.borrowed) }
    do throws(SystemError) {
      let mode = replaced == nil ? permissions : Self.closedMode
      let (name, file) = try Self.create(in: place.directory.borrowed, mode)
      self.name = name
      descriptor = file
    } catch {
      throw IOChannelError(.create, of: .path(path), reason: error)
    }
    finalName = place.name
    directoryPath = place.directoryPath
    directory = BorrowedDescriptor(rawValue: place.directory.release())
  }

  private static func create(
    in directory: BorrowedDescriptor,
    _ mode: UInt32
  ) throws(SystemError) -> (BytePath, BorrowedDescriptor) {
    var attempts = 0
    while true {
      let number = String(UInt64.random(in: .min ... .max), radix: 36)
      let name = BytePath(".durable-" + number)
      do throws(SystemError) {
        let flags: OpenFlags = [.writeOnly, .create, .exclusive, .noFollow]
        let file = try directory.open(name, flags, permissions: mode)
        return (name, BorrowedDescriptor(rawValue: file.release()))
      } catch {
        attempts += 1
        if error != .fileExists || attempts == Self.attempts { throw error }
      }
    }
  }

  /// Gives the file the attributes of the file that it replaces, if there is one.
  func keepAttributes() throws(SystemError) {
    try replaced?.giveAttributes(to: descriptor)
  }

  /// Gives the file its final name, which replaces the old file.
  func rename() throws(SystemError) {
    try directory.rename(name, to: finalName, replacing: true)
  }

  /// Removes the hidden name.
  func remove() throws(SystemError) {
    try directory.remove(name)
  }
}

/// The directory and the name of a path whose symbolic links are followed.
private struct FinalPlace: ~Copyable {
  let directory: OwnedDescriptor
  let directoryPath: BytePath
  let name: BytePath
  /// The status of the file, nil if there is none.
  let status: FileStatus?

  /// The most links, as in the kernel.
  private static let linkLimit = 40

  /// Opens the directory and follows the links.
  static func find(_ path: BytePath) throws(IOChannelError) -> FinalPlace {
    do throws(SystemError) {
      return try FinalPlace(of: path)
    } catch {
      throw IOChannelError(.open, of: .path(path), reason: error)
    }
  }

  private init(of path: BytePath) throws(SystemError) {
    var (parent, name) = try Self.split(path)
    var directory = try BorrowedDescriptor.workingDirectory.open(parent, [.readOnly, .directory])
    for _ in 0...Self.linkLimit {
      let status = try Self.status(of: name, in: directory.borrowed)
      guard let status, status.kind == .symbolicLink else {
        self.directory = directory
        directoryPath = parent
        self.name = name
        self.status = status
        return
      }
      // The kernel follows the link as well, because it refuses some links to protect the user.
      _ = try Self.status(of: name, in: directory.borrowed, following: true)
      let target = try directory.borrowed.target(ofLink: name, length: Int(status.size))
      let (next, nextName) = try Self.split(target)
      directory = try directory.borrowed.open(next, [.readOnly, .directory])
      parent = next.isAbsolute ? next : parent.appending(next)
      name = nextName
    }
    throw .tooManySymbolicLinkLevels
  }

  /// Returns the status of a name, nil if it does not exist.
  private static func status(
    of name: BytePath,
    in directory: BorrowedDescriptor,
    following: Bool = false
  ) throws(SystemError) -> FileStatus? {
    do throws(SystemError) {
      return try directory.status(of: name, following: following)
    } catch .noSuchFileOrDirectory {
      return nil
    }
  }

  /// Returns the directory of a path, and the name in it.
  private static func split(_ path: BytePath) throws(SystemError) -> (BytePath, BytePath) {
    let slash = UInt8(ascii: "/")
    guard let last = path.bytes.last else { throw .noSuchFileOrDirectory }
    if last == slash { throw .isDirectory }
    guard let place = path.bytes.lastIndex(of: slash) else { return (".", path) }
    let name = BytePath(bytes: path.bytes[(place + 1)...])
    return (BytePath(bytes: path.bytes[...place]), name)
  }
}
