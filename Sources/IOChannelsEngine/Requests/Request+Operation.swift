package import DataRegions
import QueueRuntime
package import IOChannelsSystem

extension Request {
  /// The operation of a request, on its descriptor unless stated otherwise.
  ///
  /// The result is 0 unless stated otherwise.
  package enum Operation {
    /// Reads into a part of a buffer; the result is the number of bytes.
    case read(PooledBuffer, Range<Int>)
    /// Writes all bytes of a value; the result is the number of bytes.
    case write(DataBuffer)
    /// Opens a path below the descriptor's directory with `O_CLOEXEC`.
    ///
    /// The result is the new descriptor, which belongs to the owner.
    case open(BytePath, OpenFlags, permissions: UInt32)
    /// Closes the descriptor, which is closed afterwards unless the result is `ECANCELED`.
    case close
    /// Flushes written data to storage; never repeated.
    case synchronize(dataOnly: Bool)
    /// Changes the blocks of a range that starts at the request's offset.
    case allocate(AllocationMode, length: Int64)
    /// Announces the use of a range that starts at the request's offset.
    case advise(FileAdvice, length: Int64)
    /// Starts writeback of a range that starts at the request's offset, and optionally waits for
    /// its end.
    case writeBack(length: Int64, waits: Bool)
    /// Sets the length of the file.
    case truncate(length: Int64)
    /// Reads the metadata of a path below the descriptor's directory, or of the descriptor itself
    /// without a path.
    ///
    /// The result is in `status`.
    case status(BytePath?, following: Bool)

    /// The operation without its details.
    var kind: Kind {
      switch self {
      case .read: .read
      case .write: .write
      case .open: .open
      case .close: .close
      case .synchronize: .synchronize
      case .allocate: .allocate
      case .advise: .advise
      case .writeBack: .writeBack
      case .truncate: .truncate
      case .status: .status
      }
    }
  }

  /// The operation of a request without its details.
  package enum Kind: Sendable, CaseIterable {
    case read
    case write
    case open
    case close
    case synchronize
    case allocate
    case advise
    case writeBack
    case truncate
    case status
  }

  /// The requested number of bytes, up to the kernel's limit for one call; 0 if none are
  /// transferred.
  package var length: Int {
    switch operation {
    case .read(_, let range): min(range.count, transferLengthLimit)
    case .write(let data): min(data.count, transferLengthLimit)
    default: 0
    }
  }

  /// Whether this is a write with `O_DIRECT` that does not start and end at the edges of blocks, or
  /// that appends.
  var needsPageCache: Bool {
    guard traits.isDirect, traits.kind == .seekable, case .write(let data) = operation else {
      return false
    }
    if traits.isAppending { return true }
    // The new descriptor would not share the file position, so a write needs an offset.
    guard let offset else { return false }
    let mask = Request.directBlockSize - 1
    return data.count & mask != 0 || offset & Int64(mask) != 0
  }

  /// The path of an opening or inspection, nil for any other request.
  var path: BytePath? {
    switch operation {
    case .open(let path, _, _): path
    case .status(let path, _): path
    default: nil
    }
  }

  /// The direction for which the descriptor must be ready.
  package var direction: Direction {
    kind == .write ? .write : .read
  }

  /// Whether this is a write that appends to the file.
  var isAppend: Bool { kind == .write && traits.isAppending }

  /// Whether this is a write to a pipe or socket that does not append, and whose bytes no code of
  /// users frees.
  ///
  /// It has no order with writes of other descriptors, and the ring's thread may release it (S114).
  var isPlainWriteToPeer: Bool {
    guard traits.kind == .pollable, !traits.blocksWhenReady, case .write(let data) = operation
    else { return false }
    return !traits.isAppending && !data.hasCustomMemory
  }

  /// Whether this is a read from an anonymous pipe.
  var isReadOfPipe: Bool { kind == .read && traits.isPipe }

  /// The I/O priority of a transfer as the kernel encodes it; 0 for that of the thread.
  ///
  /// Background transfers wait while other processes use the disk. Utility transfers have the
  /// lowest of the other priorities.
  var diskPriority: UInt16 {
    switch priority {
    case .background: 3 << 13
    case .utility: 2 << 13 | 7
    case .unspecified, .default, .userInitiated, .userInteractive: 0
    }
  }

  /// Whether this is a transfer with a file that never waits for a peer.
  var isTransferOfFile: Bool { isTransfer && !waitsForPeer }

  /// Whether this is a read or write.
  var isTransfer: Bool { kind == .read || kind == .write }

  /// Whether this is a transfer whose call may wait for a peer, for lack of a non-blocking form.
  var makesWaitingCall: Bool { isTransfer && waitsForPeer && awaitsReadiness }

  /// Whether a cancellation interrupts the request's call.
  ///
  /// It does so for opening, and for a transfer that may wait for a peer or for the server of an
  /// unknown file system.
  var isInterruptible: Bool {
    kind == .open || isTransfer && (waitsForPeer || !traits.fileSystem.isTrustedOnRing)
  }

  /// Whether the request may wait without limit for something other than a disk.
  var waitsForPeer: Bool {
    isTransfer && traits.waitsForPeer
  }
}

/// The direction of a transfer.
package enum Direction: Sendable {
  /// From the file into memory.
  case read
  /// From memory into the file.
  case write
}
