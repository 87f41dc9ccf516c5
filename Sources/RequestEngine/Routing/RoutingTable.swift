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
  /// The route of a request, which may move `length` bytes.
  package static func route(
    _ kind: Request.Kind,
    length: Int,
    traits: DescriptorTraits
  ) -> Route {
    switch kind {
    case .read: transferRoute(.read, length: length, traits: traits)
    case .write: transferRoute(.write, length: length, traits: traits)
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

  private static func transferRoute(
    _ direction: Direction,
    length: Int,
    traits: DescriptorTraits
  ) -> Route {
    // The kernel waits for the peer without a thread.
    if traits.kind == .pollable { return .ring }
    let sizes = leaving(traits.fileSystem, isDirect: traits.isDirect)
    return length < (direction == .read ? sizes.reads : sizes.writes) ? .pool : .ring
  }

  /// The sizes below which transfers leave the ring.
  private static func leaving(
    _ fileSystem: FileSystemKind,
    isDirect: Bool
  ) -> (reads: Int, writes: Int) {
    switch (fileSystem, isDirect) {
    // Reads 0.95 to 1.33. Writes of 4 KiB 0.56, of 16 KiB 0.50, of 64 KiB 0.93.
    case (.ext4, false): (0, 64 << 10)
    // Reads 1.28 to 2.89, writes 1.06 to 1.83.
    case (.ext4, true): (0, 0)
    // Reads 0.96 to 2.95, writes 1.12 to 1.59 up to 1 MiB.
    case (.xfs, _): (0, 0)
    // Reads 0.99 to 1.96. Writes of 4 KiB 0.58, direct 0.80; of 16 KiB 0.86, direct 0.92.
    case (.btrfs, _): (0, 16 << 10)
    // `O_DIRECT` changes nothing here. Reads of 4 KiB 0.30, of 64 KiB 0.64, of 256 KiB 0.88; writes
    // of 4 KiB 0.42, of 64 KiB 0.87 and direct 0.79, of 256 KiB 1.02.
    case (.tmpfs, _): (256 << 10, 256 << 10)
    // An overlay stands for the unknown ones. Reads of 4 KiB 0.69, of 256 KiB 0.78, of 1 MiB 0.99;
    // writes of 4 KiB 0.45, of 64 KiB 0.84, of 256 KiB 1.02.
    case (.other, false): (1 << 20, 256 << 10)
    // Reads 1.03 to 1.28, writes 0.95 to 1.51.
    case (.other, true): (0, 0)
    }
  }
}
