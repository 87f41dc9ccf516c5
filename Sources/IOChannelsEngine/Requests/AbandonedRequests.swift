internal import IOChannelsLocks

/// Requests whose memory is never freed, because the kernel may use it for ever.
enum AbandonedRequests {
  private static let requests = BargingLock<[Request]>([])

  static func keep(_ request: Request) {
    requests.withLock { $0.append(request) }
  }
}
