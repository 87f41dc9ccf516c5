package import DataRegions
package import Synchronization
package import SystemCalls

/// Whoever asked for a request and is told how it ended.
package protocol RequestOwner: AnyObject, Sendable {
  /// Takes the answer of a request, once, on a thread of the engine.
  ///
  /// It must not block: the thread serves every other request as well.
  func requestEnded(_ request: Request, with result: TransferResult)
}

/// How one transfer ended: the number of bytes moved, or the kernel's error.
package typealias TransferResult = Result<Int, Errno>

/// One transfer between memory and a descriptor.
///
/// The request keeps its memory and its owner alive until the final answer, cancelled or not.
/// A transfer may be short; going on with the rest is the owner's part.
///
/// It is `Sendable` because it is handed over, never shared: the owner fills it, then the backend
/// has it until the answer. Only `isCancelled` is looked at from elsewhere, under its own atomic.
package final class Request: @unchecked Sendable {
  /// What a request does with its memory.
  package enum Transfer {
    /// Fills a part of a buffer.
    case read(PooledBuffer, Range<Int>)
    /// Writes all bytes of a value.
    case write(DataBuffer)
  }

  /// The most regions that one request writes; the kernel takes no more.
  package static let regionLimit = 1024

  package let transfer: Transfer
  package let descriptor: BorrowedDescriptor
  package let traits: DescriptorTraits
  /// Where in the file, or `nil` for the file position.
  package let offset: Int64?
  /// A number of the owner's choice.
  package let tag: Int
  package let owner: any RequestOwner

  /// Set once by `cancel`; whoever is about to start or repeat the transfer looks at it.
  package let isCancelled = Atomic<Bool>(false)
  /// The backend's notes; only its thread that has the request uses them.
  var attempts = 0
  var awaitsReadiness = false
  /// Whether the ring has given the request to the threads.
  var isRerouted = false
  var slot: SlotID?
  /// The place among the waits, under their lock.
  var waitSlot: SlotID?
  var vectors: VectorList?

  package init(
    _ transfer: Transfer,
    descriptor: BorrowedDescriptor,
    traits: DescriptorTraits,
    offset: Int64?,
    tag: Int,
    owner: any RequestOwner
  ) {
    self.transfer = transfer
    self.descriptor = descriptor
    self.traits = traits
    self.offset = offset
    self.tag = tag
    self.owner = owner
  }

  /// The number of bytes asked for, within the kernel's limit for one call.
  package var length: Int {
    switch transfer {
    case .read(_, let range): min(range.count, transferLengthLimit)
    case .write(let data): min(data.count, transferLengthLimit)
    }
  }

  /// Which way its bytes go.
  package var direction: Direction {
    switch transfer {
    case .read: .read
    case .write: .write
    }
  }

  /// Tells the owner how it ended; only for the backend, once.
  package func end(_ result: TransferResult) {
    vectors = nil
    owner.requestEnded(self, with: result)
  }
}

/// Which way the bytes go, seen from the caller.
package enum Direction: Sendable {
  /// From the file into memory.
  case read
  /// From memory into the file.
  case write
}
