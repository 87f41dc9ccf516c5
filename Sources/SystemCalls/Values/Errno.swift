/// An error number of the kernel.
///
/// Numbers without a name here are carried unchanged.
public struct Errno: RawRepresentable, Error, Hashable, Sendable {
  /// The number as the kernel gives it, always positive.
  public let rawValue: Int32

  /// Wraps an error number.
  public init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  fileprivate init(_ rawValue: Int32) {
    self.rawValue = rawValue
  }
}

extension Errno {
  /// Operation not permitted (`EPERM`).
  public static let notPermitted = Errno(1)
  /// No such file or directory (`ENOENT`).
  public static let noSuchFileOrDirectory = Errno(2)
  /// No such process (`ESRCH`).
  public static let noSuchProcess = Errno(3)
  /// Interrupted by a signal (`EINTR`).
  public static let interrupted = Errno(4)
  /// The device failed (`EIO`).
  public static let ioError = Errno(5)
  /// Bad file descriptor (`EBADF`).
  public static let badFileDescriptor = Errno(9)
  /// The resource is not ready (`EAGAIN`).
  public static let resourceTemporarilyUnavailable = Errno(11)
  /// Out of memory (`ENOMEM`).
  public static let noMemory = Errno(12)
  /// Permission denied (`EACCES`).
  public static let permissionDenied = Errno(13)
  /// Bad address (`EFAULT`).
  public static let badAddress = Errno(14)
  /// Device or resource busy (`EBUSY`).
  public static let resourceBusy = Errno(16)
  /// The file exists (`EEXIST`).
  public static let fileExists = Errno(17)
  /// The two names are on different file systems (`EXDEV`).
  public static let improperLink = Errno(18)
  /// No such device (`ENODEV`).
  public static let noSuchDevice = Errno(19)
  /// Not a directory (`ENOTDIR`).
  public static let notDirectory = Errno(20)
  /// Is a directory (`EISDIR`).
  public static let isDirectory = Errno(21)
  /// Invalid argument (`EINVAL`).
  public static let invalidArgument = Errno(22)
  /// Too many open files in the system (`ENFILE`).
  public static let tooManyOpenFilesInSystem = Errno(23)
  /// Too many open files in the process (`EMFILE`).
  public static let tooManyOpenFiles = Errno(24)
  /// The request does not fit the device (`ENOTTY`).
  public static let inappropriateIOCTLForDevice = Errno(25)
  /// The file is in use as a program (`ETXTBSY`).
  public static let textFileBusy = Errno(26)
  /// The file is too large (`EFBIG`).
  public static let fileTooLarge = Errno(27)
  /// No space left on the device (`ENOSPC`).
  public static let noSpace = Errno(28)
  /// The descriptor cannot seek (`ESPIPE`).
  public static let illegalSeek = Errno(29)
  /// The file system is read-only (`EROFS`).
  public static let readOnlyFileSystem = Errno(30)
  /// Too many links (`EMLINK`).
  public static let tooManyLinks = Errno(31)
  /// The other end is closed (`EPIPE`).
  public static let brokenPipe = Errno(32)
  /// The name is too long (`ENAMETOOLONG`).
  public static let fileNameTooLong = Errno(36)
  /// The call does not exist (`ENOSYS`).
  public static let noFunction = Errno(38)
  /// The directory is not empty (`ENOTEMPTY`).
  public static let directoryNotEmpty = Errno(39)
  /// Too many symbolic links (`ELOOP`).
  public static let tooManySymbolicLinkLevels = Errno(40)
  /// No such attribute (`ENODATA`).
  public static let noData = Errno(61)
  /// The timer has run out (`ETIME`).
  public static let timerExpired = Errno(62)
  /// A value does not fit its type (`EOVERFLOW`).
  public static let overflow = Errno(75)
  /// Message too long (`EMSGSIZE`).
  public static let messageTooLong = Errno(90)
  /// Not supported (`EOPNOTSUPP`).
  public static let notSupported = Errno(95)
  /// The peer has closed the connection (`ECONNRESET`).
  public static let connectionReset = Errno(104)
  /// No buffer space available (`ENOBUFS`).
  public static let noBufferSpace = Errno(105)
  /// The time is up (`ETIMEDOUT`).
  public static let timedOut = Errno(110)
  /// The quota is used up (`EDQUOT`).
  public static let quotaExceeded = Errno(122)
  /// The operation was cancelled (`ECANCELED`).
  public static let canceled = Errno(125)
  /// The owner is gone (`EOWNERDEAD`).
  public static let ownerDied = Errno(130)
}
