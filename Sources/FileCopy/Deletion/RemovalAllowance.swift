/// The number of entries that a copy may still remove.
struct RemovalAllowance {
  /// The answer to a request.
  enum Decision: Equatable {
    case granted
    /// The limit would be exceeded.
    case refused
    /// The limit would be exceeded for the first time, after a number of removals. It is reported.
    case firstRefused(after: Int)
  }

  private let limit: Int?
  private var granted = 0
  private var isExceeded = false

  init(limit: Int?) {
    self.limit = limit
  }

  /// Requests the removal of all entries of one directory that are to be removed.
  ///
  /// After a refusal, all further requests are refused.
  mutating func request(_ count: Int) -> Decision {
    guard let limit else { return .granted }
    if isExceeded { return .refused }
    if count <= limit - granted {
      granted += count
      return .granted
    }
    isExceeded = true
    return .firstRefused(after: granted)
  }
}
