import IOChannelsEngine
import IOChannelsSystem

/// A path, and the flags with which a channel opens it.
struct OpeningPath: Sendable {
  let path: BytePath
  /// The flags of `open` as the caller gave them.
  let oflag: Int32
  /// The permissions of a new file.
  let mode: UInt32

  private var given: OpenFlags { OpenFlags(rawValue: oflag) }

  /// Whether a symbolic link is followed.
  var followsLinks: Bool { !given.contains(.noFollow) }

  /// The directory in which the file may be created; nil when it must not be created.
  var parentOfNewFile: BytePath? {
    let slash = UInt8(ascii: "/")
    guard given.contains(.create), path.bytes.last != slash,
      let place = path.bytes.lastIndex(of: slash)
    else { return nil }
    return BytePath(bytes: path.bytes[...place])
  }

  /// Returns the flags with which the path is opened.
  ///
  /// A regular file is opened without `O_NONBLOCK`, and other files with it, so that opening them
  /// does not wait for a peer.
  func flags(isRegular: Bool) -> OpenFlags {
    isRegular ? given.subtracting(.nonBlocking) : given.union(.nonBlocking)
  }

  /// Opens the path on the calling thread.
  func open(isRegular: Bool) -> Result<OpenFile, SystemError> {
    do throws(SystemError) {
      let flags = flags(isRegular: isRegular)
      return Self.file(
        try BorrowedDescriptor.workingDirectory.open(path, flags, permissions: mode)
      )
    } catch {
      return .failure(error)
    }
  }

  /// Examines an open file, which is closed again when that fails.
  static func file(_ opened: consuming OwnedDescriptor) -> Result<OpenFile, SystemError> {
    do throws(SystemError) {
      let file = try OpenFile(of: opened.borrowed)
      _ = opened.release()
      return .success(file)
    } catch {
      return .failure(error)
    }
  }
}
