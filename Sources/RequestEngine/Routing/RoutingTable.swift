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
    case .read: transferRoute(traits, length: length) { $0.reads }
    case .write: transferRoute(traits, length: length) { isAlone ? $0.loneWrites : $0.writes }
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
  static func ringCarries(_ kind: Request.Kind) -> Bool {
    kind != .open && kind != .advise && kind != .writeBack
  }

  /// The sizes below which transfers leave the ring.
  private struct Sizes {
    let reads: Int
    /// Of writes beside others of their owner.
    let writes: Int
    /// Of writes that their owner waits for: each pays for the way to a worker thread and back.
    let loneWrites: Int
  }

  private static func transferRoute(
    _ traits: DescriptorTraits,
    length: Int,
    limit: (Sizes) -> Int
  ) -> Route {
    // The kernel waits for the peer without a thread.
    if traits.kind == .pollable { return .ring }
    return length < limit(sizes(traits.fileSystem, isDirect: traits.isDirect)) ? .pool : .ring
  }

  private static func sizes(_ fileSystem: FileSystemKind, isDirect: Bool) -> Sizes {
    switch (fileSystem, isDirect) {
    // Reads 0.95 to 1.33. Writes of 4 KiB 0.76, of 16 KiB 0.75, of 64 KiB 1.22; lone ones of 4 KiB
    // 0.41, of 64 KiB 0.71, of 256 KiB 1.06.
    case (.ext4, false): Sizes(reads: 0, writes: 64 << 10, loneWrites: 256 << 10)
    // Reads 1.28 to 2.89, writes 1.12 to 1.93; lone ones 1.00 to 1.74, but of 64 KiB 0.69.
    case (.ext4, true): Sizes(reads: 0, writes: 0, loneWrites: 0)
    // Reads 0.96 to 2.95; up to 1 MiB writes 1.18 to 1.73, lone ones 1.05 to 1.49.
    case (.xfs, _): Sizes(reads: 0, writes: 0, loneWrites: 0)
    // Reads 0.99 to 1.96. Writes of 4 KiB 0.63, of 16 KiB 1.23; lone ones of 4 KiB 0.54, of 16 KiB
    // 0.61, of 64 KiB 0.87.
    case (.btrfs, false): Sizes(reads: 0, writes: 16 << 10, loneWrites: 64 << 10)
    // Writes of 4 KiB 0.67, of 16 KiB 0.94; lone ones 0.95, 0.90, and of 64 KiB 0.77.
    case (.btrfs, true): Sizes(reads: 0, writes: 16 << 10, loneWrites: 0)
    // Reads of 4 KiB 0.30, of 64 KiB 0.64, of 256 KiB 0.88. Writes of 4 KiB 0.65, of 16 KiB 1.00;
    // lone ones of 4 KiB 0.27, of 64 KiB 0.63, of 256 KiB 0.87.
    case (.tmpfs, false): Sizes(reads: 256 << 10, writes: 16 << 10, loneWrites: 256 << 10)
    // Writes of 4 KiB 0.62, of 16 KiB 0.61, of 64 KiB 0.92; lone ones 0.25, 0.44, 0.69, of 256 KiB
    // 1.01.
    case (.tmpfs, true): Sizes(reads: 256 << 10, writes: 64 << 10, loneWrites: 256 << 10)
    // An overlay stands for the unknown ones. Reads of 4 KiB 0.69, of 256 KiB 0.78, of 1 MiB 0.99;
    // writes of 4 KiB 0.64, of 16 KiB 0.71, of 64 KiB 1.00; lone ones of 4 KiB 0.32, of 64 KiB
    // 0.70, of 256 KiB 0.87.
    case (.other, false): Sizes(reads: 1 << 20, writes: 64 << 10, loneWrites: 256 << 10)
    // Reads 1.03 to 1.28, writes 1.18 to 2.03, lone ones 0.89 to 1.49 up to 1 MiB.
    case (.other, true): Sizes(reads: 0, writes: 0, loneWrites: 0)
    }
  }
}
