import IOChannelsSystem

/// The error of a pattern that is not valid, or of a file of patterns that cannot be read.
public struct CopyFilterError: Error, Sendable, Hashable {
  /// The flaw of a pattern, or the error of a file.
  public enum Reason: Error, Sendable, Hashable {
    /// The pattern has no bytes besides its marks, and matches nothing.
    case empty
    /// The pattern ends with a backslash that escapes nothing.
    case trailingBackslash
    /// A class, which begins with `[`, has no end.
    case unclosedClass
    /// A class has a named class that does not exist, such as `[:word:]`.
    case unknownClass
    /// A pattern that includes names begins with `!`.
    case repeatedNegation
    /// The file cannot be read.
    case system(SystemError)
    /// A line, or the file if there is no line, has more than this number of bytes.
    case tooLong(Int)
  }

  /// The flaw of the pattern, or the error of the file.
  public let reason: Reason
  /// The pattern; nil if the file or a line cannot be read.
  public let pattern: BytePath?
  /// The file; nil if the pattern was given by itself.
  public let file: BytePath?
  /// The number of the line in the file, from 1; nil if there is no line.
  public let line: Int?

  init(_ reason: Reason, _ pattern: BytePath?, file: BytePath? = nil, line: Int? = nil) {
    self.reason = reason
    self.pattern = pattern
    self.file = file
    self.line = line
  }
}

extension CopyFilterError: CustomStringConvertible {
  /// The line of ``text(quoting:)``.
  public var description: String { text() }

  /// Returns one line with the pattern, the file, the line and the reason.
  ///
  /// Names are quoted for a shell, and control characters are escaped.
  public func text(quoting: ShellQuoting = .utf8) -> String {
    guard let pattern else {
      let place = line.map { "line \($0) has " } ?? ""
      return "cannot read patterns from \(quoting.quote(file ?? "")): \(place)\(reason)"
    }
    var place = ""
    if let file, let line { place = " in line \(line) of \(quoting.quote(file))" }
    return "invalid pattern \(quoting.quote(pattern))\(place): \(reason)"
  }
}

extension CopyFilterError.Reason: CustomStringConvertible {
  /// The reason in a few words.
  public var description: String {
    switch self {
    case .empty: "it matches nothing"
    case .trailingBackslash: "it ends with a backslash"
    case .unclosedClass: "'[' has no closing ']'"
    case .unknownClass: "unknown character class"
    case .repeatedNegation: "it begins with '!'"
    case .system(let error): "\(error)"
    case .tooLong(let limit): "more than \(limit) bytes"
    }
  }
}
