/// The number of entries that a copy may still remove.
struct RemovalAllowance {
  /// The answer to a request.
  enum Decision: Equatable {
    case granted
    /// The limit would be exceeded. The first refusal is reported.
    case refused(isFirst: Bool)
  }

  /// The remaining number; nil without a limit.
  private var rest: Int?
  private var isExceeded = false

  init(limit: Int?) {
    rest = limit
  }

  /// Requests the removal of all entries of one directory that are to be removed.
  ///
  /// After a refusal, all further requests are refused.
  mutating func request(_ count: Int) -> Decision {
    guard let allowed = rest else { return .granted }
    if !isExceeded && count <= allowed {
      rest = allowed - count
      return .granted
    }
    let isFirst = !isExceeded
    isExceeded = true
    return .refused(isFirst: isFirst)
  }
}
