package import QueueRuntime
package import Synchronization
package import IOChannelsSystem

/// Whoever asked for a request and is told how it ended.
package protocol RequestOwner: AnyObject, Sendable {
  /// Takes the answer of a request, once, on a thread of the engine.
  ///
  /// It must not block: the thread serves every other request as well.
  func requestEnded(_ request: Request, with result: TransferResult)
}

/// How one request ended: the number of bytes moved or of the descriptor opened, else 0, or the
/// kernel's error.
package typealias TransferResult = Result<Int, SystemError>

/// One call of the kernel that somebody waits for.
///
/// The request keeps its memory and its owner alive until the final answer, cancelled or not. A
/// transfer may be short; going on with the rest is the owner's part, before it returns from being
/// told if the bytes are appended.
///
/// It is `Sendable` because it is handed over, never shared: the owner fills it, then the backend
/// has it until the answer. Only `isCancelled` is looked at from elsewhere, under its own atomic.
///
/// A hundred thousand may wait, so its size counts: small members stand together.
package final class Request: @unchecked Sendable {
  /// The most regions that one request writes; the kernel takes no more.
  package static let regionLimit = 1024
  /// What offsets, lengths and addresses of transfers past the page cache are multiples of; no disk
  /// asks for more.
  package static let directBlockSize = 4096

  /// What is asked for.
  package let operation: Operation
  /// What is known of the descriptor.
  package let traits: DescriptorTraits
  /// What it is about: for a path the directory, for a timeout anything.
  package let descriptor: BorrowedDescriptor
  /// Where in the file, or `nil` for the file position.
  package let offset: Int64?
  /// How urgent the request is among others.
  package let priority: WorkQueue.QoS.QoSClass
  /// Whether it goes on with what an earlier request of the owner has left, ahead of all others
  /// that wait to append.
  package let isRest: Bool
  /// Whether what a transfer brings into the page cache goes from there when it is over.
  package let isUncached: Bool
  /// Whether the owner wants nothing else of the kernel until it has ended.
  package let isAlone: Bool
  /// Set once by `cancel`; whoever is about to start or repeat the request looks at it.
  package let isCancelled = Atomic<Bool>(false)
  /// The backend's notes; only its thread that has the request uses them.
  var attempts: UInt8 = 0
  var awaitsReadiness = false
  /// Whether the kernel cannot tell when the descriptor is ready.
  var cannotAwait = false
  /// Whether the ring has given the request to the threads.
  var isRerouted = false
  var slot: SlotID?
  /// Whether it counts among the calls for its device, under the lock of those.
  var hasPlace = false
  /// The place among the waits, under their lock.
  var waitSlot: SlotID?

  /// A number of the owner's choice.
  package let tag: Int
  /// Who is told the end.
  package let owner: any RequestOwner
  /// What few requests need.
  private(set) var extras: RequestExtras?

  /// Who is told besides the owner.
  var observer: (any RequestObserver)?
  /// The uptime at which a plain call began that has not returned, else 0.
  let callStart = Atomic<Int64>(0)
  /// Which bytes the kernel moves, where those of a write lie in many places.
  var vectors: VectorList?

  /// Makes a request.
  ///
  /// The descriptor is what it is about: for a path the directory, for a timeout anything. The
  /// default of its traits is enough for all but transfers; where they name the device, requests
  /// of its other descriptors share its bounds (S119). A transfer that `isUncached` is made as any
  /// other one where the kernel or the file system knows no such transfers.
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
    if case .timeout(let time) = operation { makeExtras().deadline = .now() + time }
  }

  /// What a look at a file has seen, once it has ended without an error.
  package var status: FileStatus? {
    get { extras?.status }
    set { makeExtras().status = newValue }
  }

  /// What few requests need, made at the first use; only for whoever has the request.
  func makeExtras() -> RequestExtras {
    if let extras { return extras }
    let new = RequestExtras()
    extras = new
    return new
  }

  /// Tells the owner how it ended; only for the backend, once.
  package func end(_ result: TransferResult) {
    var result = result
    if case .success = result, let extras, extras.status == nil, case .status = operation {
      extras.status = extras.memory?.status
    }
    // One that threads were to go on with and that was cancelled before.
    if case .failure = result { result = whole(result) }
    observer?.completed(RequestSummary(self), result)
    owner.requestEnded(self, with: result)
    extras?.successor.take()?(self)
  }
}
