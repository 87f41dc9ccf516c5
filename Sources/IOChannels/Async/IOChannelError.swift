public import IOChannelsSystem

/// The error of an operation of a channel.
///
/// A cancelled task gets this error too, and not `CancellationError`, which could not report how
/// many bytes had been transferred. ``isCancellation`` distinguishes it from failures
/// (<doc:Rules#S236>).
public struct IOChannelError: Error, Hashable, Sendable {
  /// The kind of the operation.
  public enum Operation: String, Hashable, Sendable {
    /// Opening a path, or examining an open descriptor.
    case open
    /// Reading bytes.
    case read
    /// Writing bytes.
    case write
    /// Flushing the file to the device.
    case synchronize
    /// Reserving blocks of the file.
    case allocate
    /// Advising the kernel of the use of the file.
    case advise
    /// Starting to flush a range to the device.
    case writeBack = "writing back"
    /// Setting the length of the file.
    case truncate
    /// Reading the status of the file.
    case status = "reading the status"
    /// Ending the sending direction of a socket.
    case finishWriting = "finishing the writing"
    /// Closing the file.
    case close
    /// Creating a new file that replaces another one.
    case create
    /// Setting the mode and owner of a new file.
    case setAttributes = "setting the attributes"
    /// Renaming a new file, which replaces the old one.
    case rename
  }

  /// The file as the program named it.
  public enum File: Hashable, Sendable {
    /// The number of an open descriptor.
    case descriptor(Int32)
    /// A path.
    case path(BytePath)
  }

  /// The kind of the operation.
  public let operation: Operation
  /// The file of the operation.
  public let file: File
  /// The offset at which the operation began. For reads and writes of a random channel it counts as
  /// their offsets do, for ranges of the file from its start; otherwise it is `nil`.
  public let offset: Int64?
  /// The number of bytes transferred before the error.
  public let transferredCount: Int
  /// The error number that the kernel or this library reports.
  ///
  /// It is `canceled` if the operation was submitted after the close, or if `close(flags: .stop)`
  /// or the cancellation of its task ended it.
  public let reason: SystemError

  /// Whether the operation ended because its task was cancelled or its channel stopped or closed.
  ///
  /// It is true for `ECANCELED`. ``transferredCount`` bytes were transferred before.
  public var isCancellation: Bool { reason.isCancellation }

  /// Creates an error, for example in a test or for an operation that a program composes.
  ///
  /// - Parameters:
  ///   - operation: The kind of the operation.
  ///   - file: The file of the operation.
  ///   - offset: The offset at which the operation began, if it has one.
  ///   - transferredCount: The number of bytes transferred before the error.
  ///   - reason: The error number.
  public init(
    _ operation: Operation,
    of file: File,
    at offset: Int64? = nil,
    transferredCount: Int = 0,
    reason: SystemError
  ) {
    self.operation = operation
    self.file = file
    self.offset = offset
    self.transferredCount = transferredCount
    self.reason = reason
  }

  /// Advice for the program or its user, for errors that have some.
  public var hint: String? {
    switch (operation, reason) {
    case (_, .canceled): "The channel was closed, or the task was cancelled."
    case (.synchronize, .badFileDescriptor), (.close, .badFileDescriptor),
      (.advise, .badFileDescriptor), (.status, .badFileDescriptor):
      "The descriptor must be open."
    case (_, .badFileDescriptor):
      "The descriptor must be open, for \(operation == .read ? "reading" : "writing")."
    case (.read, .invalidArgument): "Offsets must not be negative."
    case (.write, .invalidArgument):
      "Offsets must not be negative; with O_DIRECT the ends of a write need /proc."
    case (_, .illegalSeek):
      "Only random channels have offsets; pipes, sockets and terminals need a stream channel."
    case (.rename, .isDirectory), (.rename, .invalidArgument):
      "Only a regular file can be replaced."
    case (_, .isDirectory): "A directory has no bytes of its own."
    case (.write, .brokenPipe): "The other end was closed."
    case (.write, .fileTooLarge): "The limit of the process or of the file system is reached."
    case (.read, .fileTooLarge): "The file has more bytes than the limit that was given."
    case (.truncate, .invalidArgument):
      "The descriptor must be open for writing, and be that of a regular file."
    case (.allocate, .invalidArgument): "The range must not be empty."
    case (.synchronize, .invalidArgument): "Pipes, sockets and terminals have no disk."
    case (_, .tooManyOpenFiles): "Close files, or raise the limit of open files (RLIMIT_NOFILE)."
    case (.read, .messageTooLong): "A line or record is longer than the limit that was given."
    case (.read, .noData): "The file ended early; a reader keeps the bytes that have arrived."
    default: nil
    }
  }
}

extension IOChannelError.File: CustomStringConvertible {
  /// The path, or the word "descriptor" with its number.
  public var description: String {
    switch self {
    case .descriptor(let number): "descriptor \(number)"
    case .path(let path): path.description
    }
  }
}

extension IOChannelError: CustomStringConvertible {
  /// One line with operation, file, offset, reason, and the hint if there is one.
  public var description: String {
    let place = offset.map { " at offset \($0)" } ?? ""
    let moved = transferredCount > 0 ? " after \(transferredCount) bytes" : ""
    let advice = hint.map { " (\($0))" } ?? ""
    return "\(operation.rawValue) of \(file)\(place)\(moved): \(reason)\(advice)"
  }
}
