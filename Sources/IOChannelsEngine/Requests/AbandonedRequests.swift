import QueueRuntime

/// Requests whose memory is left to the kernel for ever, because nobody can ask for it back.
enum AbandonedRequests {
  private static let requests = BargingLock<[Request]>([])

  static func keep(_ request: Request) {
    requests.withLock { $0.append(request) }
  }
}
