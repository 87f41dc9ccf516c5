import QueueRuntime

/// The requests of one device that a bounded number of threads or places is for.
struct DeviceLine {
  /// Whose requests share a bound.
  struct Name: Hashable {
    let device: UInt64
    let means: Means
  }

  /// What a request takes while it is under way.
  enum Means: Hashable {
    /// A place of the ring's, and perhaps a worker thread of the kernel's.
    case place(RoutingTable.WorkerNeed)
    /// A thread of the pool, of a class.
    case thread(WorkQueue.QoS.QoSClass)
    /// A thread of the lane for openings, of a class.
    case opening(WorkQueue.QoS.QoSClass)
    /// A thread of the lane for transfers that may wait for a peer, of a class or of all from
    /// `default` up.
    case waitingCall(WorkQueue.QoS.QoSClass)
  }

  let name: Name
  let limit: Int
  /// Under way.
  var count = 0
  /// Whether one of them has been so for long.
  var isSlow = false
  /// Over the limit, in order.
  var held = FirstInFirstOut<Request>()

  var isIdle: Bool { count == 0 && held.isEmpty }
  var canStart: Bool { count < limit && !held.isEmpty }
  /// Whether a new request has to wait: for room, or behind others.
  var isFull: Bool { count >= limit || !held.isEmpty }

  /// Notes the end of one that was under way.
  mutating func ended() {
    count -= 1
    if count == 0 { isSlow = false }
  }
}

/// The lines of all devices that have requests.
///
/// There are never more than requests, because a line that nobody uses makes room.
struct DeviceLines {
  var lines: [DeviceLine] = []

  /// Whether a request that was held may go.
  var canStart: Bool { lines.contains { $0.canStart } }

  /// The number of requests that are held.
  var heldCount: Int { lines.reduce(0) { $0 + $1.held.count } }

  /// The place of the line of this name, which has this limit if it is new.
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

  /// Whether a worker has been with another device for long.
  func hasSlowWorker(besides device: UInt64) -> Bool {
    lines.contains { $0.isSlow && $0.name.device != device }
  }

  /// Takes out the held requests that meet a condition.
  mutating func removeHeld(where condition: (Request) -> Bool) -> [Request] {
    lines.indices.flatMap { lines[$0].held.removeAll(where: condition) }
  }
}

extension Request {
  /// Whose failure to answer would keep the request: the file's device, or, where nobody has
  /// looked, the descriptor, as a number that no device has.
  var device: UInt64 {
    traits.device != 0 ? traits.device : 1 << 63 | UInt64(UInt32(bitPattern: descriptor.rawValue))
  }
}
