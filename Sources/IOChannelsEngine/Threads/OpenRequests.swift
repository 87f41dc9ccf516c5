import QueueRuntime
import Synchronization

/// The requests that the threads have, which of them may be called for, and whether there may be
/// more.
///
/// There are never more than the submitters have under way, who have bounds of their own. Of the
/// calls for one device a bounded number is made at a time in each class, so that a device that
/// does not answer leaves threads to the others.
struct OpenRequests {
  private struct Entry {
    let request: Request
    /// Whether the owner was told the end before the call has returned.
    var isTold = false
    /// Whether it is a close whose call may have begun.
    var mayHaveClosed = false
  }

  /// What follows from the end of a request.
  struct End {
    /// Whether the owner is told now; else it was told before.
    var isTold: Bool
    /// A request that waited for a place, which it has now.
    var next: Request?
  }

  /// The most calls at a time.
  struct Limits {
    /// For one device and class.
    var perDevice: Int
    /// Openings of a class that do not wait for a peer: a quarter of them for one device, and three
    /// quarters for all whose device is unknown.
    var openings: Int
    /// Transfers that may wait for a peer.
    var waiting: Int
    /// The same for each class below `default`.
    var quietWaiting: Int
  }

  private let limits: Limits
  private var entries: [ObjectIdentifier: Entry] = [:]
  private var devices = DeviceLines()
  private(set) var isStopped = false
  private var hasSettled = false
  /// Requests whose owners are being told.
  private var endingCount = 0

  init(limits: Limits) {
    self.limits = limits
  }

  /// Whether nothing is left after a stop; true once.
  mutating func settles() -> Bool {
    guard isStopped, entries.isEmpty, endingCount == 0, !hasSettled else { return false }
    hasSettled = true
    return true
  }

  /// The requests, in no order.
  var all: [Request] { entries.values.map(\.request) }

  /// Notes a request.
  ///
  /// - Returns: Whether it may begin.
  mutating func add(_ request: Request) -> Bool {
    entries[ObjectIdentifier(request)] = Entry(request: request)
    return !isStopped
  }

  /// Lets nothing begin any more.
  ///
  /// - Returns: The requests that have begun.
  mutating func stop() -> [Request] {
    isStopped = true
    return all
  }
}

// MARK: - Calls

extension OpenRequests {
  /// Takes a place for the call of a request, unless it has one or needs none.
  ///
  /// - Returns: False when there is none: then the end of another gives the request out.
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
      // A cancellation that came before this has not found it here.
      if request.isCancelled.load(ordering: .acquiring) { return true }
      devices.lines[line].held.append(request)
      return false
    }
    devices.lines[line].count += 1
    request.hasPlace = true
    return true
  }

  /// Waits for a peer take no thread, and openings that wait for one have a lane of their own.
  private func needsPlace(_ request: Request) -> Bool {
    if request.kind == .open { return !request.awaitsReadiness }
    return !request.waitsForPeer || request.makesWaitingCall
  }

  /// Takes out a request that waits for a place; false when it does not.
  mutating func takeHeld(_ request: Request) -> Bool {
    // Its line cannot be asked for: a thread may have the request just now.
    devices.lines.indices.contains { line in
      devices.lines[line].held.removeFirst { $0 === request } != nil
    }
  }

  /// Notes that a call has returned although its request has not ended.
  ///
  /// - Returns: A request that waited for the place, which it has now.
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

  /// Gives the place of a request to the next one.
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
  /// Strikes a request off whose call, if there was one, has returned.
  mutating func beginEnd(of request: Request) -> End {
    let next = leavePlace(of: request)
    let entry = entries.removeValue(forKey: ObjectIdentifier(request))
    guard let entry, !entry.isTold else { return End(isTold: false, next: next) }
    endingCount += 1
    return End(isTold: true, next: next)
  }

  /// Notes that the owner of a request is told its end although its call has not returned.
  ///
  /// - Returns: False when it was told before.
  mutating func beginEarlyEnd(of request: Request) -> Bool {
    guard let entry = entries[ObjectIdentifier(request)], !entry.isTold else { return false }
    entries[ObjectIdentifier(request)]?.isTold = true
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

  /// Strikes all requests off.
  ///
  /// - Returns: Their number, and those whose owners were not told, each with what to tell.
  mutating func giveUp() -> (count: Int, untold: [(Request, SystemError)]) {
    defer { entries = [:] }
    let untold = entries.values.filter { !$0.isTold }
    return (entries.count, untold.map { ($0.request, $0.mayHaveClosed ? .timedOut : .canceled) })
  }
}
