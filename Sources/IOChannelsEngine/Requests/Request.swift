package import QueueRuntime
package import Synchronization
package import IOChannelsSystem

/// The submitter of a request, which receives its result.
package protocol RequestOwner: AnyObject, Sendable {
  /// Receives the result of a request, once, on a thread of the engine.
  ///
  /// The call must not block, because the thread serves all other requests as well.
  func requestEnded(_ request: Request, with result: TransferResult)
}

/// The result of a request: the number of bytes, the opened descriptor, 0, or the kernel's error.
package typealias TransferResult = Result<Int, SystemError>

/// A request to the kernel for one operation.
///
/// The request keeps its memory and its owner alive until the final result, cancelled or not. A
/// transfer may be short. The owner submits the rest, for an append before `requestEnded` returns.
///
/// It is `Sendable` because it is passed on and never shared: the owner fills it, and then the
/// backend has it until the result. Only `isCancelled`, which is atomic, is read elsewhere.
///
/// There may be a hundred thousand pending requests, so the size matters, and small members stand
/// together.
package final class Request: InboxEntry, @unchecked Sendable {
  /// The most regions that one request writes, which is the kernel's limit.
  package static let regionLimit = 1024
  /// The alignment of offsets, lengths and addresses for direct I/O, which is enough for every
  /// disk.
  package static let directBlockSize = 4096

  /// The operation.
  package let operation: Operation
  /// The known traits of the descriptor.
  package let traits: DescriptorTraits
  /// The descriptor, which is that of a directory for a path.
  package let descriptor: BorrowedDescriptor
  /// The offset in the file, nil for the file position.
  package let offset: Int64?
  /// The quality of service of the request.
  package let priority: WorkQueue.QoS.QoSClass
  /// The kind of the operation, which is needed often; a copy of the operation would be retained.
  package let kind: Kind
  /// Whether this is the rest of a short append, which goes ahead of all other appends.
  package let isRest: Bool
  /// Whether transferred pages are dropped from the page cache afterwards.
  package let isUncached: Bool
  /// Whether the owner has no other request until this one has ended.
  package let isAlone: Bool
  /// Whether the request was cancelled.
  ///
  /// `cancel` sets it once. It is checked before the request is started or repeated.
  package let isCancelled = Atomic<Bool>(false)
  /// The number of attempts, which only the backend's thread with the request uses.
  var attempts: UInt8 = 0
  var awaitsReadiness = false
  /// Whether the kernel cannot report the readiness of the descriptor.
  var cannotAwait = false
  /// Whether the ring has passed the request to the threads.
  var isRerouted = false
  var slot: SlotID?
  /// Whether the request counts among the calls for its device, under their lock.
  var hasDeviceSlot = false

  /// A number that the owner chooses.
  package let tag: Int
  /// The receiver of the result.
  package let owner: any RequestOwner
  /// Fields that few requests use.
  private(set) var extras: RequestExtras?

  /// The observer that is notified besides the owner.
  var observer: (any RequestObserver)?
  /// The uptime at which the pending plain call started, 0 if there is none.
  let callStart = Atomic<Int64>(0)
  /// The address list of the regions to transfer, if there are several.
  var vectors: VectorList?

  /// Creates a request.
  ///
  /// The descriptor is that of a directory for a path. The default traits are enough for everything
  /// except transfers. If they name the device, requests of its other descriptors share its limits
  /// (S119). `isUncached` has no effect if the kernel or the file system does not support it.
  package init(
    _ operation: Operation,
    descriptor: BorrowedDescriptor,
    traits: DescriptorTraits = .unknown,
    offset: Int64? = nil,
    priority: WorkQueue.QoS.QoSClass = .unspecified,
    isRest: Bool = false,
    isUncached: Bool = false,
    isAlone: Bool = false,
    tag: Int,
    owner: any RequestOwner
  ) {
    self.operation = operation
    kind = operation.kind
    self.descriptor = descriptor
    self.traits = traits
    self.offset = offset
    self.priority = priority
    self.isRest = isRest
    self.isUncached =
      isUncached && traits.kind == .seekable && !traits.isDirect
      && UncachedTransfers.mayWork(on: traits.device)
    self.isAlone = isAlone
    self.tag = tag
    self.owner = owner
  }

  /// The metadata that a status request has read, once it has ended without an error.
  package var status: FileStatus? {
    get { extras?.status }
    set { makeExtras().status = newValue }
  }

  /// Returns the fields that few requests use, and creates them at the first use.
  ///
  /// Only the part that has the request may call it.
  func makeExtras() -> RequestExtras {
    if let extras { return extras }
    let new = RequestExtras()
    extras = new
    return new
  }

  /// The device on which the request depends.
  ///
  /// For unknown traits it is a number that stands for the descriptor and that no device has.
  var device: UInt64 {
    traits.device != 0 ? traits.device : 1 << 63 | UInt64(UInt32(bitPattern: descriptor.rawValue))
  }

  /// Reports the result to the owner; called once, by the backend.
  package func end(_ result: TransferResult) {
    var result = result
    // The request was cancelled after some pieces were written, before the threads continued it.
    if case .failure = result { result = whole(result) }
    observer?.completed(RequestSummary(self), result)
    owner.requestEnded(self, with: result)
    extras?.successor.take()?(self)
  }
}
