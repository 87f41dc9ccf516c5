internal import IOChannelsLocks
import QueueRuntime

/// The requests that share a limit for one device.
struct DeviceLine {
  /// The identity of a limit.
  struct Name: Hashable {
    let device: UInt64
    let means: Means
  }

  /// The resource that a request occupies while it is in progress.
  enum Means: Hashable {
    /// A slot of the ring, and perhaps a worker thread of the kernel.
    case place(RoutingTable.WorkerNeed)
    /// A thread of the pool, for a class.
    case thread(WorkQueue.QoS.QoSClass)
    /// A thread of the lane for openings, for a class.
    case opening(WorkQueue.QoS.QoSClass)
    /// A thread of the lane for transfers that may wait for a peer.
    ///
    /// The classes from `default` up share one limit.
    case waitingCall(WorkQueue.QoS.QoSClass)
  }

  let name: Name
  let limit: Int
  /// The number of requests in progress.
  var count = 0
  /// Whether one of them has been in progress for long.
  var isSlow = false
  /// The requests over the limit, in order.
  var held = FirstInFirstOut<Request>()

  var isIdle: Bool { count == 0 && held.isEmpty }
  var canStart: Bool { count < limit && !held.isEmpty }
  /// Whether a new request must wait for room or behind other requests.
  var isFull: Bool { count >= limit || !held.isEmpty }

  /// Records the end of a request that was in progress.
  mutating func ended() {
    count -= 1
    if count == 0 { isSlow = false }
  }
}

/// The device lines of all devices that have requests.
///
/// There are never more entries than requests, because unused entries are reused.
struct DeviceLines {
  var lines: [DeviceLine] = []

  /// Whether a waiting request may start.
  var canStart: Bool { lines.contains { $0.canStart } }

  /// The number of waiting requests.
  var heldCount: Int { lines.reduce(0) { $0 + $1.held.count } }

  /// Returns the index of an entry, which is created with `limit` if it is new.
  mutating func index(of name: DeviceLine.Name, limit: Int) -> Int {
    if let index = lines.firstIndex(where: { $0.name == name }) { return index }
    let line = DeviceLine(name: name, limit: limit)
    if let index = lines.firstIndex(where: \.isIdle) {
      lines[index] = line
      return index
    }
    lines.append(line)
    return lines.count - 1
  }

  /// Whether a worker has been busy with another device for long.
  func hasSlowWorker(besides device: UInt64) -> Bool {
    lines.contains { $0.isSlow && $0.name.device != device }
  }

  /// Removes the waiting requests that meet a condition.
  mutating func removeHeld(where condition: (Request) -> Bool) -> [Request] {
    lines.indices.flatMap { lines[$0].held.removeAll(where: condition) }
  }
}

extension Request {
  /// The device on which the request depends.
  ///
  /// For unknown traits it is a number that stands for the descriptor and that no device has.
  var device: UInt64 {
    traits.device != 0 ? traits.device : 1 << 63 | UInt64(UInt32(bitPattern: descriptor.rawValue))
  }
}
