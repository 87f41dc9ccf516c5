import IOChannelsEngine
import IOChannelsLocks
import IOChannelsSystem

/// Notes which kinds of requests were made, in order.
final class RequestKinds: RequestObserver {
  private let found = BargingLock<[Request.Kind]>([])
  var all: [Request.Kind] { found.withLock { $0 } }
  var reads: Int { all.count { $0 == .read } }
  var writes: Int { all.count { $0 == .write } }

  func chose(_ choice: BackendChoice) {}
  func submitted(_ request: RequestSummary, to route: Route) {
    found.withLock { $0.append(request.kind) }
  }
  func retried(_ request: RequestSummary, after error: SystemError) {}
  func rerouted(_ request: RequestSummary) {}
  func completed(_ request: RequestSummary, _ result: TransferResult) {}
}
