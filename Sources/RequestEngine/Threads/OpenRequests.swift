/// The requests that the threads have and whether there may be more.
///
/// There are never more than the submitters have under way, who have bounds of their own.
struct OpenRequests {
  private var requests: [ObjectIdentifier: Request] = [:]
  private(set) var isStopped = false
  private var hasSettled = false

  /// Whether nothing is left after a stop; true once.
  mutating func settles() -> Bool {
    guard isStopped, requests.isEmpty, !hasSettled else { return false }
    hasSettled = true
    return true
  }

  /// The requests, in no order.
  var all: [Request] { Array(requests.values) }

  /// Notes a request.
  ///
  /// - Returns: Whether it may begin.
  mutating func add(_ request: Request) -> Bool {
    requests[ObjectIdentifier(request)] = request
    return !isStopped
  }

  /// Strikes a request off; false when it was given up before.
  mutating func remove(_ request: Request) -> Bool {
    requests.removeValue(forKey: ObjectIdentifier(request)) != nil
  }

  /// Lets nothing begin any more.
  ///
  /// - Returns: The requests that have begun.
  mutating func stop() -> [Request] {
    isStopped = true
    return Array(requests.values)
  }

  /// Strikes all requests off.
  mutating func giveUp() -> [Request] {
    defer { requests = [:] }
    return Array(requests.values)
  }
}
