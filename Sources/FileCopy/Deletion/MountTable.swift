import IOChannelsSystem

/// The mounts that the process sees, which show whether two directories share files.
///
/// A bind mount shows a directory under another path. Its parents are not found through `..`, so
/// that the positions inside the file system are compared instead.
struct MountTable {
  /// A directory inside a file system, under whatever path it is visible.
  struct Position: Hashable {
    /// The device number of the file system, as text.
    var fileSystem: BytePath
    /// The names from the root of the file system to the directory.
    var names: [BytePath]

    /// The positions of all parents, from the root of the file system on.
    var parents: [Position] {
      names.indices.map { Position(fileSystem: fileSystem, names: Array(names[..<$0])) }
    }

    /// The positions of all parents and of the directory.
    var enclosing: [Position] { parents + [self] }
  }

  private struct Mount {
    /// The directory that the mount shows.
    var shown: Position
    /// The names on the path of the mount point.
    var point: [BytePath]
  }

  private var mounts: [Int64: Mount] = [:]

  /// Creates the table from the contents of `/proc/self/mountinfo`. Other lines are ignored.
  init(_ contents: [UInt8]) {
    for line in contents.split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(separator: UInt8(ascii: " "))
      guard fields.count > 4, let number = Int64(String(decoding: fields[0], as: UTF8.self))
      else { continue }
      let position = Position(
        fileSystem: BytePath(bytes: fields[2]),
        names: MountTable.names(on: MountTable.unescaped(fields[3]))
      )
      let point = MountTable.names(on: MountTable.unescaped(fields[4]))
      mounts[number] = Mount(shown: position, point: point)
    }
  }

  /// Returns the present mounts; nil without `/proc`.
  static func current() -> MountTable? {
    let path: BytePath = "/proc/thread-self/mountinfo"
    guard let file = try? BorrowedDescriptor.workingDirectory.open(path, [.readOnly]),
      let contents = try? file.borrowed.readToEnd()
    else { return nil }
    return MountTable(contents)
  }

  /// Returns the position of an open directory; nil if it is unknown.
  func position(of directory: BorrowedDescriptor) -> Position? {
    guard let number = try? directory.mountNumber(), let mount = mounts[number],
      let names = names(of: directory)
    else { return nil }
    return position(of: names, on: mount)
  }

  /// Returns the position of the directory with a path on a mount.
  private func position(of names: [BytePath], on mount: Mount) -> Position? {
    guard names.starts(with: mount.point) else { return nil }
    var position = mount.shown
    position.names += names.dropFirst(mount.point.count)
    return position
  }

  /// Returns what the mounts inside an open directory show, on all file systems or on one.
  func positions(inside directory: BorrowedDescriptor, on fileSystem: BytePath?) -> [Position] {
    guard let names = names(of: directory) else { return [] }
    return mounts.values.compactMap { mount in
      guard mount.point.count > names.count, mount.point.starts(with: names),
        fileSystem == nil || fileSystem == mount.shown.fileSystem
      else { return nil }
      return mount.shown
    }
  }

  /// Returns the names on the path that the kernel reports for an open directory.
  private func names(of directory: BorrowedDescriptor) -> [BytePath]? {
    let link = BytePath("/proc/thread-self/fd/\(directory.rawValue)")
    let path = try? BorrowedDescriptor.workingDirectory.target(ofLink: link, length: 255)
    guard let path, path.isAbsolute else { return nil }
    return MountTable.names(on: path)
  }

  private static func names(on path: BytePath) -> [BytePath] {
    path.bytes.split(separator: UInt8(ascii: "/")).map { BytePath(bytes: $0) }
  }

  /// Returns a field without the octal escapes of its spaces and line ends.
  private static func unescaped(_ field: ArraySlice<UInt8>) -> BytePath {
    var bytes: [UInt8] = []
    var rest = field
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      if byte == UInt8(ascii: "\\"), digits.count == 3,
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
      {
        bytes.append(value)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return BytePath(bytes: bytes)
  }
}
