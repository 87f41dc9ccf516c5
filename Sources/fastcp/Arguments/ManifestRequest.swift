import FileCopy

/// The options about the manifest that a copy writes.
struct ManifestRequest {
  private var path: BytePath?
  private var algorithm: ChecksumAlgorithm?

  /// Records an option.
  mutating func note(_ option: ParsedArguments.Option) throws(UsageError) {
    let value = option.value ?? ""
    if option.kind == .manifest {
      path = value
      return
    }
    algorithm = try WordList<ChecksumAlgorithm>(
      context: "--checksum",
      words: ChecksumAlgorithm.allCases.map { (meaning: $0, words: [$0.rawValue]) }
    ).meaning(of: value)
  }

  /// Returns the manifest that the options request together; nil if they request none.
  func manifest(for options: CopyOptions) throws(UsageError) -> CopyManifest? {
    guard let path else {
      if algorithm != nil { throw .onlyWith("--checksum", "--manifest") }
      return nil
    }
    if options.isDryRun { throw .cannotCombine("--manifest", "--dry-run") }
    if !options.contents.copiesBytes { throw .cannotCombine("--manifest", "--attributes-only") }
    switch options.tree.product {
    case .copies: break
    case .hardLinks: throw .cannotCombine("--manifest", "--link")
    case .symbolicLinks: throw .cannotCombine("--manifest", "--symbolic-link")
    }
    return CopyManifest(
      ManifestRequest.path(path, of: options.shard),
      algorithm: algorithm ?? .xxh128
    )
  }

  /// Returns the path of the list of a part, because all parts may have one command line.
  private static func path(_ path: BytePath, of shard: CopyShard?) -> BytePath {
    guard case .part(let index, let count)? = shard else { return path }
    return BytePath(bytes: path.bytes + ".\(index)-of-\(count)".utf8)
  }
}
