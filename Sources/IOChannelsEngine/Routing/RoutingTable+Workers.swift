extension RoutingTable {
  /// The need of a request for one of the ring's worker threads.
  enum WorkerNeed: Hashable {
    /// None: the kernel waits without a thread.
    case none
    /// Rare: in most cases an interrupt of the disk completes the request.
    case rare
    /// Usual, or unknown.
    case usual
  }

  /// Returns whether the kernel may pass a request of the ring to one of the ring's worker threads.
  ///
  /// The worker is blocked for as long as the device does not respond, and a ring has a limited
  /// number of them.
  static func workerNeed(_ kind: Request.Kind, traits: DescriptorTraits) -> WorkerNeed {
    switch kind {
    case .read where traits.kind == .pollable, .write where traits.kind == .pollable: .none
    case .read: readNeed(traits)
    case .write: writeNeed(traits)
    case .open, .close, .synchronize, .allocate, .advise, .writeBack, .truncate, .status: .usual
    }
  }

  private static func readNeed(_ traits: DescriptorTraits) -> WorkerNeed {
    switch (traits.fileSystem, traits.isDirect) {
    case (.ext4, _), (.xfs, _), (.btrfs, false): .none
    // These file systems have no non-blocking transfers, or it is unknown whether they have.
    case (.btrfs, true), (.tmpfs, _), (.fuse, _), (.other, _): .usual
    }
  }

  private static func writeNeed(_ traits: DescriptorTraits) -> WorkerNeed {
    switch (traits.fileSystem, traits.isDirect) {
    // A worker is needed if the file has no blocks yet, or if the file system is frozen.
    case (.ext4, true), (.xfs, true): .rare
    default: .usual
    }
  }
}

extension Request {
  /// The need of the request for one of the kernel's worker threads.
  var workerNeed: RoutingTable.WorkerNeed { RoutingTable.workerNeed(kind, traits: traits) }

  /// Whether this is a write that a kernel worker carries out after other writes of the file.
  var isWorkerWrite: Bool { kind == .write && workerNeed == .usual }

  /// The device to whose writes the request adds another one, 0 for none.
  var patientDevice: UInt64 { isWorkerWrite ? device : 0 }
}
