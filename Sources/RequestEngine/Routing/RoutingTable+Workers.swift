extension RoutingTable {
  /// Whether the kernel may give a request of the ring to one of the ring's worker threads.
  ///
  /// Such a thread is gone for as long as the device does not answer, and a ring has a bounded
  /// number of them. What only exceptionally needs one counts as well, because on a frozen file
  /// system the exception is the rule.
  static func mayTakeWorker(_ kind: Request.Kind, traits: DescriptorTraits) -> Bool {
    switch kind {
    // The kernel waits for peers and times without a thread.
    case .poll, .timeout: false
    case .read where traits.kind == .pollable, .write where traits.kind == .pollable: false
    case .read: readTakesWorker(traits)
    // A write waits for a frozen file system, all the others for the journal or a server.
    case .write, .open, .close, .synchronize, .allocate, .truncate, .status: true
    }
  }

  private static func readTakesWorker(_ traits: DescriptorTraits) -> Bool {
    switch (traits.fileSystem, traits.isDirect) {
    // The disk's interrupt completes these.
    case (.ext4, _), (.xfs, _), (.btrfs, false): false
    // These know no transfer without waiting; of the others nobody knows.
    case (.btrfs, true), (.tmpfs, _), (.other, _): true
    }
  }
}

extension Request {
  /// Whether the ring may give it to a worker thread of the kernel's.
  var mayTakeWorker: Bool { RoutingTable.mayTakeWorker(kind, traits: traits) }
}
