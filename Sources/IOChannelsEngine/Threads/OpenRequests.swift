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
    var isReported = false
  }

  /// The consequences of a request's end.
  struct End {
    /// Whether the result is reported to the owner now, and not before.
    var isReported: Bool
    /// A request that waited for a slot of its device, and now has it.
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
  private var devices = DeviceQueues()

  init(limits: Limits) {
    self.limits = limits
  }

  /// The requests, in no order.
  var all: [Request] { entries.values.map(\.request) }

  mutating func add(_ request: Request) {
    entries[ObjectIdentifier(request)] = Entry(request: request)
  }
}

// MARK: - Calls

extension OpenRequests {
  /// Acquires a device slot for the call of a request, unless it has one or needs none.
  ///
  /// - Returns: False if there is none. Then `next` or `leaveCall(of:)` returns the request later.
  mutating func beginCall(_ request: Request) -> Bool {
    if request.hasDeviceSlot || !needsDeviceSlot(request) { return true }
    let queue = queue(of: request)
    if devices.queues[queue].isFull {
      // An earlier cancellation has not found the request here.
      if request.isCancelled.load(ordering: .acquiring) { return true }
      devices.queues[queue].waiting.append(request)
      return false
    }
    devices.queues[queue].count += 1
    request.hasDeviceSlot = true
    return true
  }

  /// Returns whether the call of a request counts against a limit.
  ///
  /// Waits for a peer need no thread, and openings that wait for one have a pool of their own.
  private func needsDeviceSlot(_ request: Request) -> Bool {
    if request.kind == .open { return !request.awaitsReadiness }
    return !request.waitsForPeer || request.makesWaitingCall
  }

  /// Removes a request that waits for a device slot; returns false if it does not wait.
  mutating func removeWaiting(_ request: Request) -> Bool {
    // All queues are searched, because a thread may be using the request, whose own queue cannot be
    // determined then.
    devices.queues.indices.contains { queue in
      devices.queues[queue].waiting.removeFirst { $0 === request } != nil
    }
  }

  /// Records that a call has returned although its request has not ended.
  ///
  /// - Returns: A request that waited for the device slot, and now has it.
  mutating func leaveCall(of request: Request) -> Request? {
    releaseDeviceSlot(of: request)
  }

  private mutating func queue(of request: Request) -> Int {
    if request.makesWaitingCall {
      let isQuiet = request.priority == .utility || request.priority == .background
      let priority = isQuiet ? request.priority : .default
      return devices.index(
        of: .init(device: 0, resource: .waitingCall(priority)),
        limit: isQuiet ? limits.quietWaiting : limits.waiting
      )
    }
    if request.kind == .open {
      let quarters = request.traits.device == 0 ? 3 : 1
      return devices.index(
        of: .init(device: request.device, resource: .opening(request.priority)),
        limit: max(limits.openings * quarters / 4, 1)
      )
    }
    let key = DeviceQueue.Key(device: request.device, resource: .thread(request.priority))
    return devices.index(of: key, limit: limits.perDevice)
  }

  /// Releases the device slot of a request to the next one.
  private mutating func releaseDeviceSlot(of request: Request) -> Request? {
    guard request.hasDeviceSlot else { return nil }
    request.hasDeviceSlot = false
    let queue = queue(of: request)
    guard let next = devices.queues[queue].waiting.popFirst() else {
      devices.queues[queue].count -= 1
      return nil
    }
    next.hasDeviceSlot = true
    return next
  }
}

// MARK: - Ends

extension OpenRequests {
  /// Removes a request whose call, if there was one, has returned.
  mutating func end(of request: Request) -> End {
    let next = releaseDeviceSlot(of: request)
    let entry = entries.removeValue(forKey: ObjectIdentifier(request))
    return End(isReported: entry.map { !$0.isReported } ?? false, next: next)
  }

  /// Records that the owner receives the result of a request whose call has not returned.
  ///
  /// - Returns: False if the owner received it before.
  mutating func endEarly(_ request: Request) -> Bool {
    guard let entry = entries[ObjectIdentifier(request)], !entry.isReported else { return false }
    entries[ObjectIdentifier(request)]?.isReported = true
    return true
  }
}
