/// An error number of the kernel.
///
/// A number without a name here is kept unchanged.
public struct SystemError: RawRepresentable, Error, Hashable, Sendable {
  /// The number as in `errno`, always positive.
  public let rawValue: Int32

  /// Creates an error from its number.
  public init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// Creates an error from the number that a system call or a handler reports; nil for 0, which
  /// stands for no error.
  public init?(errno number: Int32) {
    if number == 0 { return nil }
    rawValue = number
  }

  fileprivate init(_ rawValue: Int32) {
    self.rawValue = rawValue
  }
}

/// Comparisons with the bare numbers that handlers and system calls report, where 0 stands for no
/// error.
///
/// They are not preferred, so that the compiler's message about a misspelled error names this type.
extension SystemError {
  /// Returns whether a number is that of an error.
  @_disfavoredOverload
  public static func == (number: Int32, error: SystemError) -> Bool { number == error.rawValue }

  /// Returns whether an error has a number.
  @_disfavoredOverload
  public static func == (error: SystemError, number: Int32) -> Bool { error.rawValue == number }

  /// Returns whether a number is not that of an error.
  @_disfavoredOverload
  public static func != (number: Int32, error: SystemError) -> Bool { number != error.rawValue }

  /// Returns whether an error does not have a number.
  @_disfavoredOverload
  public static func != (error: SystemError, number: Int32) -> Bool { error.rawValue != number }

  /// Returns whether a number is that of an error, for `case SystemError.canceled` in a `switch`.
  public static func ~= (error: SystemError, number: Int32) -> Bool { number == error.rawValue }
}

extension SystemError {
  /// Whether the error is `ECANCELED`, with which a cancelled or stopped operation ends.
  public var isCancellation: Bool { self == .canceled }
}

extension SystemError? {
  /// The number of the error, 0 for none.
  package var number: Int32 { self?.rawValue ?? 0 }
}

extension SystemError {
  /// Operation not permitted (`EPERM`).
  public static let notPermitted = SystemError(1)
  /// No such file or directory (`ENOENT`).
  public static let noSuchFileOrDirectory = SystemError(2)
  /// No such process (`ESRCH`).
  public static let noSuchProcess = SystemError(3)
  /// Interrupted by a signal (`EINTR`).
  public static let interrupted = SystemError(4)
  /// Input/output error (`EIO`).
  public static let ioError = SystemError(5)
  /// Bad file descriptor (`EBADF`).
  public static let badFileDescriptor = SystemError(9)
  /// The resource is temporarily unavailable (`EAGAIN`).
  public static let resourceTemporarilyUnavailable = SystemError(11)
  /// Out of memory (`ENOMEM`).
  public static let noMemory = SystemError(12)
  /// Permission denied (`EACCES`).
  public static let permissionDenied = SystemError(13)
  /// Bad address (`EFAULT`).
  public static let badAddress = SystemError(14)
  /// Device or resource busy (`EBUSY`).
  public static let resourceBusy = SystemError(16)
  /// The file exists (`EEXIST`).
  public static let fileExists = SystemError(17)
  /// The two names are on different file systems (`EXDEV`).
  public static let improperLink = SystemError(18)
  /// No such device (`ENODEV`).
  public static let noSuchDevice = SystemError(19)
  /// Not a directory (`ENOTDIR`).
  public static let notDirectory = SystemError(20)
  /// The file is a directory (`EISDIR`).
  public static let isDirectory = SystemError(21)
  /// Invalid argument (`EINVAL`).
  public static let invalidArgument = SystemError(22)
  /// Too many open files in the system (`ENFILE`).
  public static let tooManyOpenFilesInSystem = SystemError(23)
  /// Too many open files in the process (`EMFILE`).
  public static let tooManyOpenFiles = SystemError(24)
  /// Inappropriate request for the device (`ENOTTY`).
  public static let inappropriateIOCTLForDevice = SystemError(25)
  /// The file is in use as a program (`ETXTBSY`).
  public static let textFileBusy = SystemError(26)
  /// The file is too large (`EFBIG`).
  public static let fileTooLarge = SystemError(27)
  /// No space left on the device (`ENOSPC`).
  public static let noSpace = SystemError(28)
  /// The descriptor does not support seeking (`ESPIPE`).
  public static let illegalSeek = SystemError(29)
  /// The file system is read-only (`EROFS`).
  public static let readOnlyFileSystem = SystemError(30)
  /// Too many links (`EMLINK`).
  public static let tooManyLinks = SystemError(31)
  /// The other end of the pipe or socket is closed (`EPIPE`).
  public static let brokenPipe = SystemError(32)
  /// The name is too long (`ENAMETOOLONG`).
  public static let fileNameTooLong = SystemError(36)
  /// The function is not implemented (`ENOSYS`).
  public static let noFunction = SystemError(38)
  /// The directory is not empty (`ENOTEMPTY`).
  public static let directoryNotEmpty = SystemError(39)
  /// Too many symbolic links (`ELOOP`).
  public static let tooManySymbolicLinkLevels = SystemError(40)
  /// No such attribute (`ENODATA`).
  public static let noData = SystemError(61)
  /// The timer has expired (`ETIME`).
  public static let timerExpired = SystemError(62)
  /// The value is too large for its type (`EOVERFLOW`).
  public static let overflow = SystemError(75)
  /// Not supported (`EOPNOTSUPP`).
  public static let notSupported = SystemError(95)
  /// The operation timed out (`ETIMEDOUT`).
  public static let timedOut = SystemError(110)
  /// The disk quota is exceeded (`EDQUOT`).
  public static let quotaExceeded = SystemError(122)
  /// The operation was cancelled (`ECANCELED`).
  public static let canceled = SystemError(125)
  /// The owner has died (`EOWNERDEAD`).
  public static let ownerDied = SystemError(130)
}

/// Names that a program may expect. The compiler replaces them by those of `Errno` in swift-system.
extension SystemError {
  /// Another name of ``noSuchFileOrDirectory``.
  @available(*, unavailable, renamed: "noSuchFileOrDirectory")
  public static var noSuchFile: SystemError { noSuchFileOrDirectory }
  /// Another name of ``noSuchFileOrDirectory``.
  @available(*, unavailable, renamed: "noSuchFileOrDirectory")
  public static var fileNotFound: SystemError { noSuchFileOrDirectory }
  /// Another name of ``fileExists``.
  @available(*, unavailable, renamed: "fileExists")
  public static var alreadyExists: SystemError { fileExists }
  /// Another name of ``permissionDenied``.
  @available(*, unavailable, renamed: "permissionDenied")
  public static var accessDenied: SystemError { permissionDenied }
  /// Another name of ``resourceTemporarilyUnavailable``.
  @available(*, unavailable, renamed: "resourceTemporarilyUnavailable")
  public static var wouldBlock: SystemError { resourceTemporarilyUnavailable }
  /// Another name of ``canceled``.
  @available(*, unavailable, renamed: "canceled")
  public static var cancelled: SystemError { canceled }
}
