/// The requests that the threads have and whether there may be more.
///
/// There are never more than the submitters have under way, who have bounds of their own.
struct OpenRequests {
  private var requests: [ObjectIdentifier: Request] = [:]
  private(set) var isStopped = false
  private var hasSettled = false
  /// Requests whose owners are being told.
  private var endingCount = 0

  /// Whether nothing is left after a stop; true once.
  mutating func settles() -> Bool {
    guard isStopped, requests.isEmpty, endingCount == 0, !hasSettled else { return false }
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

  /// Strikes a request off whose owner is told next; false when it was given up before.
  mutating func beginEnd(of request: Request) -> Bool {
    guard requests.removeValue(forKey: ObjectIdentifier(request)) != nil else { return false }
    endingCount += 1
    return true
  }

  /// Notes that the owner of a request was told.
  ///
  /// - Returns: Whether nothing is left after a stop; true once.
  mutating func finishEnd() -> Bool {
    endingCount -= 1
    return settles()
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
