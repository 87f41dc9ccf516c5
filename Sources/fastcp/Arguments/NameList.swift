import FileCopy

/// The list of sources that `--files-from` requests.
struct NameList {
  private var file: BytePath?
  private var endsNamesWithZero = false

  private static let standardInput: BytePath = "-"

  /// Whether there is a list.
  var isRequested: Bool { file != nil }

  /// Records an option.
  mutating func note(_ option: ParsedArguments.Option) throws(UsageError) {
    if option.kind == .null {
      endsNamesWithZero = true
      return
    }
    if file != nil { throw .repeatedList }
    file = option.value ?? ""
  }

  /// Reads the list, and returns the names in their order; nil if no list is requested.
  ///
  /// If answers to questions are read from standard input, the list cannot be.
  func names(alsoReadsAnswers: Bool) throws(UsageError) -> [BytePath]? {
    guard let file else {
      if endsNamesWithZero { throw .zeroWithoutList }
      return nil
    }
    let isStandardInput = file == NameList.standardInput
    if isStandardInput && alsoReadsAnswers { throw .namesAndAnswers }
    let end: UInt8 = endsNamesWithZero ? 0 : UInt8(ascii: "\n")
    let contents: [UInt8]
    if isStandardInput {
      contents = try NameList.contents(BorrowedDescriptor(rawValue: 0), of: file, end)
    } else {
      let opened: OwnedDescriptor
      do throws(SystemError) {
        opened = try BorrowedDescriptor.workingDirectory.open(file, .noTerminal)
      } catch {
        throw .unreadableList(file, .system(error))
      }
      contents = try NameList.contents(opened.borrowed, of: file, end)
    }
    if !endsNamesWithZero && contents.contains(0) { throw .zeroInList(file) }
    return NameList.names(in: contents, endingWith: end)
  }

  private static func contents(
    _ opened: BorrowedDescriptor,
    of file: BytePath,
    _ end: UInt8
  ) throws(UsageError) -> [UInt8] {
    do throws(LineBounds.Failure) {
      return try LineBounds.names.read(opened, linesEndingWith: end)
    } catch {
      throw .unreadableList(file, error)
    }
  }

  /// Returns the names in a list. The last one may lack its end, and empty ones are skipped.
  static func names(in contents: [UInt8], endingWith end: UInt8) -> [BytePath] {
    contents.split(separator: end).map { BytePath(bytes: $0) }
  }
}
