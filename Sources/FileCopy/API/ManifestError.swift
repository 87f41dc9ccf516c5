import IOChannelsSystem

/// The error of a manifest that cannot be used.
public struct ManifestError: Error, Sendable, Hashable {
  /// The flaw of a manifest, or the error of a system call.
  public enum Reason: Sendable, Hashable {
    /// A system call failed.
    case system(SystemError)
    /// A line has no checksum, or no valid name.
    case invalidLine
    /// A name may lead out of the directory.
    case unsafeName
    /// The last line has no newline, so that a part of the manifest is missing.
    case truncated
    /// The manifest has no lines.
    case empty
    /// A line, or the manifest, has more bytes than a limit.
    case tooLong(limit: Int)
  }

  /// The flaw or the error.
  public let reason: Reason
  /// The path of the manifest, or of the directory that cannot be opened.
  public let path: BytePath
  /// The number of the line, from 1; nil if the reason concerns no line.
  public let line: Int?

  init(_ reason: Reason, _ path: BytePath, line: Int? = nil) {
    self.reason = reason
    self.path = path
    self.line = line
  }

  /// Creates the error of a manifest that was not read to its end.
  init(_ failure: LineBounds.Failure, _ path: BytePath) {
    let (reason, line): (Reason, Int?) =
      switch failure {
      case .system(let error): (.system(error), nil)
      case .longLine(let line, let limit): (.tooLong(limit: limit), line)
      case .longFile(let limit): (.tooLong(limit: limit), nil)
      }
    self.init(reason, path, line: line)
  }
}

extension ManifestError: CustomStringConvertible {
  /// The line of ``text(quoting:)``.
  public var description: String { text() }

  /// Returns one line with the path, the line number and the reason.
  ///
  /// Names are quoted for a shell, and control characters are escaped.
  public func text(quoting: ShellQuoting = .utf8) -> String {
    let place = line.map { "line \($0) of " } ?? ""
    return "cannot use \(place)\(quoting.quote(path)): \(reason)"
  }
}

extension ManifestError.Reason: CustomStringConvertible {
  /// The reason in a few words.
  public var description: String {
    switch self {
    case .system(let error): "\(error)"
    case .invalidLine: "no checksum and name"
    case .unsafeName: "the name leads out of the directory"
    case .truncated: "the last line is incomplete"
    case .empty: "there are no checksums"
    case .tooLong(let limit): "more than \(limit) bytes"
    }
  }
}
