/// Where a request is carried out when there is a ring.
package enum Route: Hashable, Sendable {
  /// As a request of io_uring.
  case ring
  /// As a plain call on a thread of the blocking pool.
  case pool
}

/// Which requests leave the ring.
///
/// The ring is the rule. A row below exists where the kernel would hand the request to one of its
/// own worker threads, so that a plain call on ours does the same with fewer wakes.
package enum RoutingTable {
  /// From this many bytes on, the copy outweighs what a worker thread costs.
  package static let largeWrite = 1 << 20

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
    // Of these it runs only some closes and openings without a worker thread.
    case .open, .close, .synchronize, .allocate, .truncate, .status: .pool
    }
  }

  private static func transferRoute(
    _ direction: Direction,
    length: Int,
    traits: DescriptorTraits
  ) -> Route {
    // The kernel waits for the peer without a thread.
    if traits.kind == .pollable { return .ring }
    switch (traits.fileSystem, direction) {
    // No file operation of these is known to run without a worker thread.
    case (.tmpfs, _), (.other, _): return .pool
    // btrfs sends every direct transfer to a worker thread.
    case (.btrfs, _) where traits.isDirect: return .pool
    case (_, .read): return .ring
    case (_, .write): return traits.isDirect || length >= largeWrite ? .ring : .pool
    }
  }
}
