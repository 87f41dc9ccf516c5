import QueueRuntime

/// The blocking pools for plain calls that may wait for a peer, and for opening files.
///
/// Each pool has threads of its own. So calls that wait for a pipe, a terminal or a device do not
/// occupy the threads of other calls.
package struct BlockingPools: Sendable {
  /// The pools of the process.
  package static let shared = BlockingPools(
    width: BlockingPool.transferWidth,
    openings: BlockingPool.transferLimit,
    waiting: EngineLimit.waitingThreads.value(default: 256)
  )

  /// The pool that opens paths.
  let openings: BlockingPool
  /// The most openings at a time.
  let openingLimit: Int
  /// The pool that opens FIFOs and character devices, which may wait for the other end or for a
  /// carrier.
  let peerOpenings: BlockingPool
  /// The pool for transfers that may block although the descriptor was ready.
  let devices: BlockingPool
  /// The most such transfers at a time in the classes from `default` up.
  ///
  /// One thread of the pool may only watch the others.
  let deviceCallLimit: Int
  /// The most such transfers at a time in each lower class.
  var quietDeviceCallLimit: Int { min(deviceCallLimit, WorkerPool.quietBound - 1) }

  /// Creates pools without threads.
  ///
  /// - Parameters:
  ///   - width: The number of concurrent calls in each pool while none is blocked.
  ///   - openings: The number of concurrent openings that do not wait for a peer, at least `width`.
  ///   - limit: The number of concurrent calls that wait for a peer in each pool.
  package init(width: Int, openings: Int = 64, waiting limit: Int) {
    openingLimit = max(width, openings)
    self.openings = BlockingPool(name: "io-open", width: width, maximum: openingLimit)
    let waitingWidth = min(width, limit)
    peerOpenings = BlockingPool(name: "io-fifo", width: waitingWidth, maximum: limit)
    devices = BlockingPool(name: "io-device", width: waitingWidth, maximum: limit)
    deviceCallLimit = max(limit - 1, 1)
  }
}
