package import DataRegions
import QueueRuntime
package import IOChannelsSystem

extension Request {
  /// What a request asks for, of its descriptor unless it says otherwise.
  ///
  /// The answer is 0 where nothing else is said.
  package enum Operation {
    /// Fills a part of a buffer; the answer is the number of bytes.
    case read(PooledBuffer, Range<Int>)
    /// Writes all bytes of a value; the answer is the number of bytes.
    case write(DataBuffer)
    /// Waits until bytes can be moved in a direction, or nobody will ever move them again.
    case poll(Direction)
    /// Opens a path below the descriptor's directory, closing on `exec`; the answer is the number
    /// of the new descriptor, which belongs to the owner.
    case open(BytePath, OpenFlags, permissions: UInt32)
    /// Closes the descriptor, which is gone whatever the answer is, unless that is `ECANCELED`.
    case close
    /// Brings what was written to the disk; never asked twice.
    case synchronize(dataOnly: Bool)
    /// Changes the blocks of a range that begins at the request's offset.
    case allocate(AllocationMode, length: Int64)
    /// Tells how a range that begins at the request's offset will be used.
    case advise(FileAdvice, length: Int64)
    /// Begins to write the changed pages of such a range, and waits for that if asked.
    case writeBack(length: Int64, waits: Bool)
    /// Sets the length of the file.
    case truncate(length: Int64)
    /// Looks at a path below the descriptor's directory, or at the descriptor itself when there is
    /// none; what was seen is in `status`.
    case status(BytePath?, following: Bool)
    /// Ends by itself so long after it was made.
    case timeout(Duration)
  }

  /// What a request asks for, without the details.
  package enum Kind: Sendable, CaseIterable {
    case read
    case write
    case poll
    case open
    case close
    case synchronize
    case allocate
    case advise
    case writeBack
    case truncate
    case status
    case timeout
  }

  /// The kind of the operation.
  package var kind: Kind {
    switch operation {
    case .read: .read
    case .write: .write
    case .poll: .poll
    case .open: .open
    case .close: .close
    case .synchronize: .synchronize
    case .allocate: .allocate
    case .advise: .advise
    case .writeBack: .writeBack
    case .truncate: .truncate
    case .status: .status
    case .timeout: .timeout
    }
  }

  /// The number of bytes asked for, within the kernel's limit for one call; 0 for what moves none.
  package var length: Int {
    switch operation {
    case .read(_, let range): min(range.count, transferLengthLimit)
    case .write(let data): min(data.count, transferLengthLimit)
    default: 0
    }
  }

  /// Whether a write of a file that was opened with `O_DIRECT` begins or ends inside of a block, or
  /// at an end of the file that may lie inside of one.
  var needsPageCache: Bool {
    guard case .write(let data) = operation, traits.isDirect, traits.kind == .seekable else {
      return false
    }
    if traits.isAppending { return true }
    // The position belongs to the file as it was opened, not to the file opened once more.
    guard let offset else { return false }
    let mask = Request.directBlockSize - 1
    return data.count & mask != 0 || offset & Int64(mask) != 0
  }

  /// The direction that the descriptor has to be ready for.
  package var direction: Direction {
    switch operation {
    case .write: .write
    case .poll(let direction): direction
    default: .read
    }
  }

  /// Whether the bytes go to the end of the file, wherever that is by then.
  var isAppend: Bool { kind == .write && traits.isAppending }

  /// Whether it writes to a pipe or socket, in no order with other descriptors, and what
  /// the thread of a ring may let go of: no code of users gives it back (S114).
  var isPlainWriteToPeer: Bool {
    guard case .write(let data) = operation, traits.kind == .pollable, !traits.blocksWhenReady
    else { return false }
    return !traits.isAppending && !data.hasCustomMemory
  }

  /// The place of a transfer in the disk's line, as the kernel writes it; 0 for that of the thread.
  ///
  /// Background transfers wait until nobody else uses the disk; utility is the last of the others.
  var diskPriority: UInt16 {
    switch priority {
    case .background: 3 << 13
    case .utility: 2 << 13 | 7
    case .unspecified, .default, .userInitiated, .userInteractive: 0
    }
  }

  /// Whether the request moves bytes of a file, which no peer keeps waiting.
  var isTransferOfFile: Bool { isTransfer && !waitsForPeer }

  /// Whether it moves bytes.
  var isTransfer: Bool { kind == .read || kind == .write }

  /// Whether it is a transfer whose call may wait for a peer, as it knows no way not to wait.
  var makesWaitingCall: Bool { isTransfer && waitsForPeer && awaitsReadiness }

  /// Whether a cancellation interrupts its call: an opening, or a transfer that may wait for a peer
  /// or for the server of an unknown file system.
  var isInterruptible: Bool {
    kind == .open || isTransfer && (waitsForPeer || !traits.fileSystem.isTrustedOnRing)
  }

  /// Whether the request may stay with the kernel for any length of time, without a disk.
  var waitsForPeer: Bool {
    switch kind {
    case .read, .write: traits.waitsForPeer
    case .poll, .timeout: true
    default: false
    }
  }
}

/// Which way the bytes go, seen from the caller.
package enum Direction: Sendable {
  /// From the file into memory.
  case read
  /// From memory into the file.
  case write
}
