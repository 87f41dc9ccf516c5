/// The part that carries out a request if there is a ring.
package enum Route: Hashable, Sendable {
  /// An io_uring.
  case ring
  /// A plain call on a thread of the blocking pool.
  case pool
}

/// The choice between ring and pool for each request.
///
/// The ring is the default. A request goes to the pool if a plain call needs at least 15 % less
/// processor time, as `scripts/bench routing` measures it. This is so for small requests that the
/// kernel would pass to one of its worker threads. For larger ones the time to copy outweighs the
/// wakeups. Threads of the pool also contend for the lock of a file where the kernel carries out
/// one write after the other.
package enum RoutingTable {
  /// Returns the route of a request of up to `length` bytes.
  ///
  /// For a write, `isAlone` is whether its owner has no other request.
  package static func route(
    _ kind: Request.Kind,
    length: Int,
    traits: DescriptorTraits,
    isAlone: Bool
  ) -> Route {
    switch kind {
    case .read: transferRoute(traits) { length < $0.reads }
    case .write where isAlone: transferRoute(traits) { length < $0.loneWrites }
    case .write: transferRoute(traits) { length < $0.writes }
    // The kernel needs a worker thread for all of these except some closes. It opens a FIFO whose
    // name is cached without waiting for the other end.
    case .open, .close, .synchronize, .allocate, .advise, .writeBack, .truncate, .status: .pool
    }
  }

  /// Whether the ring carries out a transfer as a plain call does.
  ///
  /// Regular files stay off the ring on file systems with untrusted results. Transfers that may
  /// block although the descriptor was ready would block the ring's own thread.
  static func ringCarries(_ kind: Request.Kind, traits: DescriptorTraits) -> Bool {
    (kind == .read || kind == .write) && !traits.blocksWhenReady
      && (traits.kind == .pollable || traits.fileSystem.isTrustedOnRing)
  }

  /// The thresholds for transfers on one file system.
  ///
  /// Shorter transfers go to the pool.
  private struct Sizes {
    let reads: Int
    /// The threshold for writes beside other requests, from the mean of 1 and 16 requests in
    /// flight.
    let writes: Int
    /// The threshold for lone writes, each of which pays for waking a worker thread.
    let loneWrites: Int
  }

  private static func transferRoute(
    _ traits: DescriptorTraits,
    leavesRing: (Sizes) -> Bool
  ) -> Route {
    // The ring's thread would make the blocking call.
    if traits.blocksWhenReady { return .pool }
    // The kernel waits for the peer without a thread.
    if traits.kind == .pollable { return .ring }
    guard let sizes = sizes(traits.fileSystem, isDirect: traits.isDirect) else { return .pool }
    return leavesRing(sizes) ? .pool : .ring
  }

  /// Returns the thresholds for a file system, nil if the results of the ring are not trusted.
  ///
  /// The figures are in `Benchmarks/Results/routing.md`: the processor time on the pool over that
  /// on the ring.
  private static func sizes(_ fileSystem: FileSystemKind, isDirect: Bool) -> Sizes? {
    switch (fileSystem, isDirect) {
    // Reads need less time on the ring. Short writes and lone writes need less on the pool. A long
    // lone write has many pieces (S178). On the ring each of them wakes a worker thread, while a
    // thread of the pool writes them in a row.
    case (.ext4, false): Sizes(reads: 0, writes: 64 << 10, loneWrites: .max)
    // No size needs clearly less time on the pool.
    case (.ext4, true): Sizes(reads: 0, writes: 0, loneWrites: 0)
    // No size needs clearly less time on the pool.
    case (.xfs, _): Sizes(reads: 0, writes: 0, loneWrites: 0)
    // Reads need no less time on the pool. Short writes do, and lone writes below 256 KiB.
    case (.btrfs, false): Sizes(reads: 0, writes: 64 << 10, loneWrites: 256 << 10)
    // Reads do not need clearly less time on the pool. Short writes do, and lone writes below 256
    // KiB.
    case (.btrfs, true): Sizes(reads: 0, writes: 64 << 10, loneWrites: 256 << 10)
    // Short reads and writes need less time on the pool, and so do lone writes below 1 MiB.
    case (.tmpfs, false): Sizes(reads: 1 << 20, writes: 64 << 10, loneWrites: 1 << 20)
    // Short reads and writes need less time on the pool, and so do lone writes below 4 MiB.
    case (.tmpfs, true): Sizes(reads: 1 << 20, writes: 256 << 10, loneWrites: 4 << 20)
    // Whatever the cost: the ring repeats short transfers of FUSE with direct I/O at the old
    // position, and other file systems are untested.
    case (.fuse, _), (.other, _): nil
    }
  }
}
