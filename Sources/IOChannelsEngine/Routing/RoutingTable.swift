/// Where a request is carried out when there is a ring.
package enum Route: Hashable, Sendable {
  /// As a request of io_uring.
  case ring
  /// As a plain call on a thread of the blocking pool.
  case pool
}

/// Which requests leave the ring.
///
/// The ring is the rule. A request leaves it where a plain call takes at least 15 % less processor
/// time, which `scripts/bench routing` measures: a figure below is the plain call's time over the
/// ring's. Those that leave are small ones that the kernel would hand to a worker thread of its
/// own. From some size on the copy outweighs the wakes, and threads of ours fight for the file's
/// lock where the kernel takes one write after the other.
package enum RoutingTable {
  /// The route of a request, which may move `length` bytes, and of which a write may be all that
  /// its owner waits for.
  package static func route(
    _ kind: Request.Kind,
    length: Int,
    traits: DescriptorTraits,
    isAlone: Bool
  ) -> Route {
    switch kind {
    case .read: transferRoute(traits) { length < $0.reads }
    case .write where isAlone:
      transferRoute(traits) { length < $0.loneWrites || length > $0.longestLoneWrite }
    case .write: transferRoute(traits) { length < $0.writes }
    // The kernel waits without a thread.
    case .poll, .timeout: .ring
    // Of these it runs only some closes without a worker thread.
    case .open, .close, .synchronize, .allocate, .advise, .writeBack, .truncate, .status: .pool
    }
  }

  /// Whether the ring does a request as a plain call would.
  ///
  /// It opens a pipe with a name that the kernel has cached without waiting for the other end, or
  /// fails with `ENXIO`; one that waits holds a worker thread, and ends with a number that is no
  /// error when it is cancelled. Of hints and of writing pages back it takes lengths below 4 GiB.
  ///
  /// Regular files stay off it on file systems where its answers cannot be trusted. Transfers that
  /// may wait although the descriptor was ready would keep the ring's own thread.
  static func ringCarries(_ kind: Request.Kind, traits: DescriptorTraits) -> Bool {
    switch kind {
    case .open, .advise, .writeBack: false
    case .read, .write:
      !traits.blocksWhenReady && (traits.kind == .pollable || traits.fileSystem.isTrustedOnRing)
    case .poll, .close, .synchronize, .allocate, .truncate, .status, .timeout: true
    }
  }

  /// The sizes below which transfers leave the ring, and above which lone writes do.
  private struct Sizes {
    let reads: Int
    /// Of writes beside others, few or many: the mean of one in flight and of 16.
    let writes: Int
    /// Of writes that their owner waits for: one in flight, which pays for the way to a worker
    /// thread and back.
    let loneWrites: Int
    /// The longest of those that stay. A longer one is made of many pieces (S178), each of which
    /// pays for that way anew, while a thread makes the calls for all of them in a row.
    var longestLoneWrite = Int.max
  }

  private static func transferRoute(
    _ traits: DescriptorTraits,
    leavesRing: (Sizes) -> Bool
  ) -> Route {
    // The ring's thread would make the call that waits.
    if traits.blocksWhenReady { return .pool }
    // The kernel waits for the peer without a thread.
    if traits.kind == .pollable { return .ring }
    guard let sizes = sizes(traits.fileSystem, isDirect: traits.isDirect) else { return .pool }
    return leavesRing(sizes) ? .pool : .ring
  }

  /// The sizes for a file system, nil where the ring's answers cannot be trusted.
  private static func sizes(_ fileSystem: FileSystemKind, isDirect: Bool) -> Sizes? {
    switch (fileSystem, isDirect) {
    // Reads 1.07 to 1.41. Writes of 4 KiB 0.47, of 16 KiB 0.59, of 64 KiB 0.84, 0.93 on a busy
    // machine; lone ones of 4 KiB 0.21, of 64 KiB 0.51, of 256 KiB 0.83, of 1 MiB 0.92; of 16 MiB,
    // in pieces, 0.43, and 0.85 on a busy machine.
    case (.ext4, false):
      Sizes(reads: 0, writes: 64 << 10, loneWrites: 1 << 20, longestLoneWrite: 1 << 20)
    // Reads 1.06 to 1.53, writes 0.97 to 1.24. Lone ones 0.76 to 0.97, 0.69 to 1.74 on a busy
    // machine.
    case (.ext4, true): Sizes(reads: 0, writes: 0, loneWrites: 0)
    // Reads 1.01 to 1.63, writes 0.96 to 1.33, lone ones 0.83 to 1.08.
    case (.xfs, _): Sizes(reads: 0, writes: 0, loneWrites: 0)
    // Reads 1.00 to 1.17. Writes of 4 KiB 0.58, of 16 KiB 0.72, of 64 KiB 0.96; lone ones of 4 KiB
    // 0.27, of 64 KiB 0.65, of 256 KiB 0.89.
    case (.btrfs, false): Sizes(reads: 0, writes: 64 << 10, loneWrites: 256 << 10)
    // Reads 0.72 to 1.39, 0.92 to 1.96 on a busy machine. Writes of 4 KiB 0.72, of 16 KiB 0.80, of
    // 64 KiB 0.92; lone ones of 4 KiB 0.71, of 64 KiB 0.81, of 256 KiB 0.92.
    case (.btrfs, true): Sizes(reads: 0, writes: 64 << 10, loneWrites: 256 << 10)
    // Reads of 4 KiB 0.36, of 64 KiB 0.59, of 256 KiB 0.80, of 1 MiB 0.99. Writes of 4 KiB 0.40, of
    // 16 KiB 0.60, of 64 KiB 0.95; lone ones of 4 KiB 0.16, of 256 KiB 0.83, of 1 MiB 0.93.
    case (.tmpfs, false): Sizes(reads: 1 << 20, writes: 64 << 10, loneWrites: 1 << 20)
    // Reads of 4 KiB 0.29, of 256 KiB 0.70, of 1 MiB 0.97. Writes of 4 KiB 0.31, of 64 KiB 0.79, of
    // 256 KiB 1.14; lone ones of 4 KiB 0.10, of 256 KiB 0.83, of 1 MiB 0.85, of 4 MiB 1.01.
    case (.tmpfs, true): Sizes(reads: 1 << 20, writes: 256 << 10, loneWrites: 4 << 20)
    // Whatever it costs: the ring repeats short transfers of FUSE with direct I/O at the old
    // position, and the others are untested.
    case (.fuse, _), (.other, _): nil
    }
  }
}
