import RequestEngine
import SystemCalls

/// A path as a channel opens it.
struct OpeningPath: Sendable {
  let path: FilePath
  /// The flags of `open` as the caller gave them.
  let oflag: Int32
  /// The permissions of a new file.
  let mode: UInt32

  private var given: OpenFlags { OpenFlags(rawValue: oflag) }

  /// Whether a symbolic link stands for what it points to.
  var followsLinks: Bool { !given.contains(.noFollow) }

  /// The directory in which the file may be made; nil when it is not to be made.
  var parentOfNewFile: FilePath? {
    let slash = UInt8(ascii: "/")
    guard given.contains(.create), path.bytes.last != slash,
      let place = path.bytes.lastIndex(of: slash)
    else { return nil }
    return FilePath(bytes: path.bytes[...place])
  }

  /// The flags with which it is opened.
  ///
  /// A regular file is opened as it is always used, and other things so that opening them does not
  /// wait for a peer.
  func flags(isRegular: Bool) -> OpenFlags {
    isRegular ? given.subtracting(.nonBlocking) : given.union(.nonBlocking)
  }

  /// Opens it on the calling thread.
  func open(isRegular: Bool) -> Result<OpenFile, Errno> {
    do throws(Errno) {
      let flags = flags(isRegular: isRegular)
      return Self.file(
        try BorrowedDescriptor.workingDirectory.open(path, flags, permissions: mode)
      )
    } catch {
      return .failure(error)
    }
  }

  /// Asks about an open file, which is closed again where that fails.
  static func file(_ opened: consuming FileDescriptor) -> Result<OpenFile, Errno> {
    do throws(Errno) {
      var size = 0
      let traits = try DescriptorTraits(of: opened.borrowed, size: &size)
      let number = BorrowedDescriptor(rawValue: opened.release())
      return .success(OpenFile(descriptor: number, traits: traits, size: size))
    } catch {
      return .failure(error)
    }
  }
}
