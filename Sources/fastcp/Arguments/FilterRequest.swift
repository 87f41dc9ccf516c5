import FileCopy

/// The options about names that are left out.
struct FilterRequest {
  private var requested = CopyFilter()
  private var leavesOutIgnored = false
  private var copiesIgnoredOnly = false

  /// Records an option. The patterns keep the order of the options.
  mutating func note(_ option: ParsedArguments.Option) throws(UsageError) {
    let value = option.value ?? ""
    do throws(CopyFilterError) {
      switch option.kind {
      case .exclude: try requested.exclude(value)
      case .include: try requested.include(value)
      case .excludeFrom: try requested.exclude(patternsIn: value)
      case .gitIgnore: leavesOutIgnored = true
      case .gitIgnoredOnly: copiesIgnoredOnly = true
      default: break
      }
    } catch {
      throw .badPattern(error)
    }
  }

  /// Returns the filter that the options request together.
  func filter() throws(UsageError) -> CopyFilter {
    if leavesOutIgnored && copiesIgnoredOnly { throw .bothGitFilters }
    var filter = requested
    if leavesOutIgnored { filter.ignoredByGit = .excluded }
    if copiesIgnoredOnly { filter.ignoredByGit = .only }
    return filter
  }
}
