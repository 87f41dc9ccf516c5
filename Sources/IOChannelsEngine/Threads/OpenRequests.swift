import QueueRuntime
import Synchronization
internal import IOChannelsLocks

/// The requests of the threads, and the limits on their calls.
///
/// There are never more entries than requests of the submitters, which have limits of their own.
/// The calls for one device are limited in each class, so that a device that does not respond
/// leaves threads to the others.
struct OpenRequests {
  private struct Entry {
    let request: Request
    /// Whether the owner received the result before the call returned.
    var isTold = false
    /// Whether this is a close whose call may have started.
    var mayHaveClosed = false
  }

  /// The consequences of a request's end.
  struct End {
    /// Whether the owner is notified now, and not before.
    var isTold: Bool
    /// A request that waited for a place, and now has it.
    var next: Request?
  }

  /// The limits on concurrent calls.
  struct Limits {
    /// The limit for one device and class.
    var perDevice: Int
    /// The limit for openings of a class that do not wait for a peer.
    ///
    /// One device may have a quarter of them, and all unknown devices three quarters.
    var openings: Int
    /// The limit for transfers that may wait for a peer.
    var waiting: Int
    /// The limit for such transfers in each class below `default`.
    var quietWaiting: Int
  }

  private let limits: Limits
  private var entries: [ObjectIdentifier: Entry] = [:]
  private var devices = DeviceLines()
  private(set) var isStopped = false
  private var hasSettled = false
  /// The number of requests whose owners are being notified.
  private var endingCount = 0

  init(limits: Limits) {
    self.limits = limits
  }

  /// Returns whether no request is left after a stop; true once.
  mutating func settles() -> Bool {
    guard isStopped, entries.isEmpty, endingCount == 0, !hasSettled else { return false }
    hasSettled = true
    return true
  }

  /// The requests, in no order.
  var all: [Request] { entries.values.map(\.request) }

  /// Adds a request.
  ///
  /// - Returns: Whether the request may start.
  mutating func add(_ request: Request) -> Bool {
    entries[ObjectIdentifier(request)] = Entry(request: request)
    return !isStopped
  }

  /// Prevents that further requests start.
  ///
  /// - Returns: The requests that have started.
  mutating func stop() -> [Request] {
    isStopped = true
    return all
  }
}

// MARK: - Calls

extension OpenRequests {
  /// Takes a place for the call of a request, unless it has one or needs none.
  ///
  /// - Returns: False if there is none. Then `next` or `leaveCall(of:)` returns the request later.
  mutating func beginCall(_ request: Request) -> Bool {
    guard takePlace(for: request) else { return false }
    if request.kind == .close, !request.isCancelled.load(ordering: .acquiring) {
      entries[ObjectIdentifier(request)]?.mayHaveClosed = true
    }
    return true
  }

  private mutating func takePlace(for request: Request) -> Bool {
    if request.hasPlace || !needsPlace(request) { return true }
    let line = line(of: request)
    if devices.lines[line].isFull {
      // An earlier cancellation has not found the request here.
      if request.isCancelled.load(ordering: .acquiring) { return true }
      devices.lines[line].held.append(request)
      return false
    }
    devices.lines[line].count += 1
    request.hasPlace = true
    return true
  }

  /// Returns whether the call of a request counts against a limit.
  ///
  /// Waits for a peer need no thread, and openings that wait for one have a lane of their own.
  private func needsPlace(_ request: Request) -> Bool {
    if request.kind == .open { return !request.awaitsReadiness }
    return !request.waitsForPeer || request.makesWaitingCall
  }

  /// Removes a request that waits for a place; returns false if it does not wait.
  mutating func takeHeld(_ request: Request) -> Bool {
    // All queues are searched, because a thread may be using the request, whose own queue cannot be
    // determined then.
    devices.lines.indices.contains { line in
      devices.lines[line].held.removeFirst { $0 === request } != nil
    }
  }

  /// Records that a call has returned although its request has not ended.
  ///
  /// - Returns: A request that waited for the place, and now has it.
  mutating func leaveCall(of request: Request) -> Request? {
    leavePlace(of: request)
  }

  private mutating func line(of request: Request) -> Int {
    if request.makesWaitingCall {
      let isQuiet = request.priority == .utility || request.priority == .background
      let priority = isQuiet ? request.priority : .default
      return devices.index(
        of: .init(device: 0, means: .waitingCall(priority)),
        limit: isQuiet ? limits.quietWaiting : limits.waiting
      )
    }
    if request.kind == .open {
      let quarters = request.traits.device == 0 ? 3 : 1
      return devices.index(
        of: .init(device: request.device, means: .opening(request.priority)),
        limit: max(limits.openings * quarters / 4, 1)
      )
    }
    let name = DeviceLine.Name(device: request.device, means: .thread(request.priority))
    return devices.index(of: name, limit: limits.perDevice)
  }

  /// Passes the place of a request to the next one.
  private mutating func leavePlace(of request: Request) -> Request? {
    guard request.hasPlace else { return nil }
    request.hasPlace = false
    let line = line(of: request)
    guard let next = devices.lines[line].held.popFirst() else {
      devices.lines[line].count -= 1
      return nil
    }
    next.hasPlace = true
    return next
  }
}

// MARK: - Ends

extension OpenRequests {
  /// Removes a request whose call, if there was one, has returned.
  mutating func beginEnd(of request: Request) -> End {
    let next = leavePlace(of: request)
    let entry = entries.removeValue(forKey: ObjectIdentifier(request))
    guard let entry, !entry.isTold else { return End(isTold: false, next: next) }
    endingCount += 1
    return End(isTold: true, next: next)
  }

  /// Records that the owner receives the result of a request whose call has not returned.
  ///
  /// - Returns: False if the owner received it before.
  mutating func beginEarlyEnd(of request: Request) -> Bool {
    guard let entry = entries[ObjectIdentifier(request)], !entry.isTold else { return false }
    entries[ObjectIdentifier(request)]?.isTold = true
    endingCount += 1
    return true
  }

  /// Records that the owner of a request was notified.
  ///
  /// - Returns: Whether no request is left after a stop; true once.
  mutating func finishEnd() -> Bool {
    endingCount -= 1
    return settles()
  }

  /// Removes all requests.
  ///
  /// - Returns: Their number, and the requests whose owners were not notified, with their errors.
  mutating func giveUp() -> (count: Int, untold: [(Request, SystemError)]) {
    defer { entries = [:] }
    let untold = entries.values.filter { !$0.isTold }
    return (entries.count, untold.map { ($0.request, $0.mayHaveClosed ? .timedOut : .canceled) })
  }
}
