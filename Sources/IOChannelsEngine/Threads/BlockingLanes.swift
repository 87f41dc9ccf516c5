import QueueRuntime

/// The lanes for plain calls that may wait for a peer, and for openings.
///
/// Each has threads of its own, so that calls that wait for a pipe, a terminal or a device leave
/// the threads of all others free.
package struct BlockingLanes: Sendable {
  /// The lanes of the process.
  package static let shared = BlockingLanes(width: BlockingPool.transferWidth, waiting: 256)

  /// Openings of paths.
  let openings: BlockingPool
  /// How many of these are called for at a time.
  let openingLimit: Int
  /// Openings of FIFOs and character devices, which may wait for the other end or for a carrier.
  let peerOpenings: BlockingPool
  /// Transfers that may wait although the descriptor was ready.
  let devices: BlockingPool
  /// How many of these transfers are called for at a time in the classes from `default` up: one
  /// thread of a lane may only watch the others.
  let deviceCallLimit: Int
  /// The same for each class below.
  var quietDeviceCallLimit: Int { min(deviceCallLimit, WorkerPool.quietBound - 1) }

  /// Makes lanes without threads.
  ///
  /// - Parameters:
  ///   - width: How many calls each lane makes at a time while none is blocked.
  ///   - limit: How many calls that wait for a peer each lane makes at a time, and no fewer than
  ///     `width`; of other openings there are 64 at most.
  package init(width: Int, waiting limit: Int) {
    openingLimit = max(width, 64)
    openings = BlockingPool(lane: "io-open", width: width, maximum: openingLimit)
    peerOpenings = BlockingPool(lane: "io-fifo", width: width, maximum: limit)
    devices = BlockingPool(lane: "io-device", width: width, maximum: limit)
    deviceCallLimit = max(limit - 1, 1)
  }
}
