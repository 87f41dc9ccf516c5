import FileCopy

/// The options about entries that the source lacks: `--delete` and those that belong to it.
extension CopyRequest {
  /// Applies one of the options.
  mutating func noteDeletion(_ option: ParsedArguments.Option) throws(UsageError) {
    switch option.kind {
    case .delete: options.deletion.removesExtraneous = true
    case .maxDelete: options.deletion.limit = try CopyRequest.removalLimit(option.value)
    case .deleteFromEmptySource: options.deletion.acceptsEmptySources = true
    default: break
    }
  }

  /// The error of a combination of options that is refused; nil if there is none.
  var deletionError: UsageError? {
    let deletion = options.deletion
    guard deletion.removesExtraneous else {
      if deletion.limit != nil { return .onlyWithDelete("--max-delete") }
      return deletion.acceptsEmptySources ? .onlyWithDelete("--delete-from-empty-source") : nil
    }
    if !options.tree.isRecursive { return .deleteWithoutRecursion }
    // A backup is an entry that the source lacks.
    if options.existing.backup != nil { return .cannotCombine("--delete", "--backup") }
    // The link may lead out of the destination.
    if options.tree.keepsDirectoryLinks {
      return .cannotCombine("--delete", "--keep-directory-symlink")
    }
    return nil
  }

  private static func removalLimit(_ value: BytePath?) throws(UsageError) -> Int {
    let value = value ?? ""
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard value.bytes.allSatisfy({ digits.contains($0) }),
      let limit = Int(String(decoding: value.bytes, as: UTF8.self))
    else { throw .badRemovalLimit(value) }
    return limit
  }
}
