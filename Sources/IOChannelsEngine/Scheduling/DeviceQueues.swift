internal import IOChannelsLocks
import QueueRuntime

/// The queue of the requests that share a limit for one device.
struct DeviceQueue {
  /// The device and resource of a limit.
  struct Key: Hashable {
    let device: UInt64
    let resource: Resource
  }

  /// The resource that a request occupies while it is in progress.
  enum Resource: Hashable {
    /// A slot of the ring, and perhaps a worker thread of the kernel.
    case ringSlot(RoutingTable.WorkerNeed)
    /// A thread of the pool, for a class.
    case thread(WorkQueue.QoS.QoSClass)
    /// A thread of the pool for openings, for a class.
    case opening(WorkQueue.QoS.QoSClass)
    /// A thread of the pool for transfers that may wait for a peer.
    ///
    /// The classes from `default` up share one limit.
    case waitingCall(WorkQueue.QoS.QoSClass)
  }

  let key: Key
  let limit: Int
  /// The number of requests in progress.
  var count = 0
  /// Whether one of them has been in progress for long.
  var isSlow = false
  /// The requests over the limit, in order.
  var waiting = FirstInFirstOut<Request>()

  var isIdle: Bool { count == 0 && waiting.isEmpty }
  var canStart: Bool { count < limit && !waiting.isEmpty }
  /// Whether a new request must wait for room or behind other requests.
  var isFull: Bool { count >= limit || !waiting.isEmpty }

  /// Records the end of a request that was in progress.
  mutating func ended() {
    count -= 1
    if count == 0 { isSlow = false }
  }
}

/// The queues of all devices that have requests.
///
/// There are never more entries than requests, because unused entries are reused.
struct DeviceQueues {
  var queues: [DeviceQueue] = []

  /// Whether a waiting request may start.
  var canStart: Bool { queues.contains { $0.canStart } }

  /// The number of waiting requests.
  var waitingCount: Int { queues.reduce(0) { $0 + $1.waiting.count } }

  /// Returns the index of an entry, which is created with `limit` if it is new.
  mutating func index(of key: DeviceQueue.Key, limit: Int) -> Int {
    if let index = queues.firstIndex(where: { $0.key == key }) { return index }
    let queue = DeviceQueue(key: key, limit: limit)
    if let index = queues.firstIndex(where: \.isIdle) {
      queues[index] = queue
      return index
    }
    queues.append(queue)
    return queues.count - 1
  }

  /// Whether a worker has been busy with another device for long.
  func hasSlowWorker(besides device: UInt64) -> Bool {
    queues.contains { $0.isSlow && $0.key.device != device }
  }

  /// Removes the waiting requests that meet a condition.
  mutating func removeWaiting(where condition: (Request) -> Bool) -> [Request] {
    queues.indices.flatMap { queues[$0].waiting.removeAll(where: condition) }
  }
}
