extension RoutingTable {
  /// How a request of the ring needs one of the ring's worker threads.
  enum WorkerNeed: Hashable {
    /// The kernel waits without a thread.
    case none
    /// In most cases a disk's interrupt completes it.
    case rare
    /// The rule, or nobody knows.
    case usual
  }

  /// Whether the kernel may give a request of the ring to one of the ring's worker threads.
  ///
  /// Such a thread is gone for as long as the device does not answer, and a ring has a bounded
  /// number of them.
  static func workerNeed(_ kind: Request.Kind, traits: DescriptorTraits) -> WorkerNeed {
    switch kind {
    case .poll, .timeout: .none
    case .read where traits.kind == .pollable, .write where traits.kind == .pollable: .none
    case .read: readNeed(traits)
    case .write: writeNeed(traits)
    // All of these may wait for a journal or a server.
    case .open, .close, .synchronize, .allocate, .advise, .writeBack, .truncate, .status: .usual
    }
  }

  private static func readNeed(_ traits: DescriptorTraits) -> WorkerNeed {
    switch (traits.fileSystem, traits.isDirect) {
    case (.ext4, _), (.xfs, _), (.btrfs, false): .none
    // These know no transfer without waiting; of the others nobody knows.
    case (.btrfs, true), (.tmpfs, _), (.fuse, _), (.other, _): .usual
    }
  }

  private static func writeNeed(_ traits: DescriptorTraits) -> WorkerNeed {
    switch (traits.fileSystem, traits.isDirect) {
    // Where the file has no blocks yet, and where the file system is frozen.
    case (.ext4, true), (.xfs, true): .rare
    default: .usual
    }
  }
}

extension Request {
  /// How the ring needs a worker thread of the kernel's for it.
  var workerNeed: RoutingTable.WorkerNeed { RoutingTable.workerNeed(kind, traits: traits) }

  /// Whether it is a write that a worker of the kernel's carries out, after others of the file.
  var isWorkerWrite: Bool { kind == .write && workerNeed == .usual }
}
