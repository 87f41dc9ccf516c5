import IOChannelsSystem

/// The names inside the sources that a copy leaves out.
///
/// The patterns have the syntax of gitignore and are relative to each source directory. The last
/// one that matches a name decides. A directory that is left out is not read, so no name in it can
/// be included again. The sources themselves are always copied.
public struct CopyFilter: Sendable, Hashable {
  /// The treatment of the names that the `.gitignore` files of a tree exclude.
  ///
  /// The file `.git/info/exclude` counts too, but not that of a linked work tree. The index, the
  /// settings of git, such as `core.ignoreCase`, and the directories above a source are not read.
  /// Links are not followed. A nested repository has only its own rules.
  public enum IgnoredByGit: Sendable, Hashable {
    /// They are copied.
    case included
    /// They are left out. The directory `.git` is copied.
    case excluded
    /// Nothing else is copied.
    ///
    /// Missing directories that lead to such names are created, and existing ones keep their
    /// metadata. Linked work trees and submodules are left out, and so are other repositories that
    /// git does not ignore.
    case only
  }

  /// The treatment of the names that the `.gitignore` files of a tree exclude.
  ///
  /// The patterns of the filter precede these files.
  public var ignoredByGit: IgnoredByGit = .included
  /// The patterns in their order.
  private(set) var rules: RuleList = RuleList()

  /// Creates a filter that leaves out nothing.
  public init() {}

  /// Appends a pattern. Names that it matches are left out, or included if it begins with `!`.
  ///
  /// - Throws: ``CopyFilterError`` if the pattern is not valid.
  public mutating func exclude(
    _ pattern: some BytePathConvertible
  ) throws(CopyFilterError) {
    let pattern = pattern.bytePath
    try append(pattern.bytes, pattern: pattern)
  }

  /// Appends a pattern. Names that it matches are included although an earlier pattern matches.
  ///
  /// - Throws: ``CopyFilterError`` if the pattern is not valid, or begins with `!`.
  public mutating func include(
    _ pattern: some BytePathConvertible
  ) throws(CopyFilterError) {
    let pattern = pattern.bytePath
    let mark = UInt8(ascii: "!")
    if pattern.bytes.first == mark { throw CopyFilterError(.repeatedNegation, pattern) }
    let negated: [UInt8] = [mark] + pattern.bytes
    try append(negated[...], pattern: pattern)
  }

  /// Appends the patterns of a file, one on each line.
  ///
  /// A line that begins with `#` is a comment. Spaces at the end of a line are not part of its
  /// pattern, unless a backslash stands before them. Symbolic links are followed. Pipes are read to
  /// their end. A line may have 64 KiB, and the file 16 MiB.
  ///
  /// - Throws: ``CopyFilterError`` if the file cannot be read or a pattern is not valid. The filter
  ///   is unchanged then.
  public mutating func exclude(
    patternsIn file: some BytePathConvertible
  ) throws(CopyFilterError) {
    let file = file.bytePath
    let contents = try CopyFilter.contents(of: file)
    var filter = self
    for line in RuleList.lines(of: contents) {
      let pattern = BytePath(bytes: line.pattern)
      try filter.append(line.pattern, pattern: pattern, file: file, line: line.number)
    }
    self = filter
  }

  private static func contents(of file: BytePath) throws(CopyFilterError) -> [UInt8] {
    let opened: OwnedDescriptor
    do throws(SystemError) {
      opened = try BorrowedDescriptor.workingDirectory.open(file, [.noTerminal])
    } catch {
      throw CopyFilterError(.system(error), nil, file: file)
    }
    do throws(LineBounds.Failure) {
      return try LineBounds.patterns.read(opened.borrowed)
    } catch {
      switch error {
      case .system(let error): throw CopyFilterError(.system(error), nil, file: file)
      case .longLine(let line, let limit):
        throw CopyFilterError(.tooLong(limit), nil, file: file, line: line)
      case .longFile(let limit): throw CopyFilterError(.tooLong(limit), nil, file: file)
      }
    }
  }

  private mutating func append(
    _ bytes: ArraySlice<UInt8>,
    pattern: BytePath,
    file: BytePath? = nil,
    line: Int? = nil
  ) throws(CopyFilterError) {
    do throws(CopyFilterError.Reason) {
      rules.append(try FilterRule(bytes))
    } catch {
      throw CopyFilterError(error, pattern, file: file, line: line)
    }
  }
}
