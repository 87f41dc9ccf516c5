import QueueRuntime

/// The lanes for plain calls that may wait for a peer, and for opening files.
///
/// Each lane has threads of its own. So calls that wait for a pipe, a terminal or a device do not
/// occupy the threads of other calls.
package struct BlockingLanes: Sendable {
  /// The lanes of the process.
  package static let shared = BlockingLanes(width: BlockingPool.transferWidth, waiting: 256)

  /// The lane that opens paths.
  let openings: BlockingPool
  /// The most openings at a time.
  let openingLimit: Int
  /// The lane that opens FIFOs and character devices, which may wait for the other end or for a
  /// carrier.
  let peerOpenings: BlockingPool
  /// The lane for transfers that may block although the descriptor was ready.
  let devices: BlockingPool
  /// The most such transfers at a time in the classes from `default` up.
  ///
  /// One thread of the lane may only watch the others.
  let deviceCallLimit: Int
  /// The most such transfers at a time in each lower class.
  var quietDeviceCallLimit: Int { min(deviceCallLimit, WorkerPool.quietBound - 1) }

  /// Creates lanes without threads.
  ///
  /// - Parameters:
  ///   - width: The number of concurrent calls in each lane while none is blocked.
  ///   - limit: The number of concurrent calls that wait for a peer in each lane, no less than
  ///     `width`. Other openings are limited to 64.
  package init(width: Int, waiting limit: Int) {
    openingLimit = max(width, 64)
    openings = BlockingPool(lane: "io-open", width: width, maximum: openingLimit)
    peerOpenings = BlockingPool(lane: "io-fifo", width: width, maximum: limit)
    devices = BlockingPool(lane: "io-device", width: width, maximum: limit)
    deviceCallLimit = max(limit - 1, 1)
  }
}
