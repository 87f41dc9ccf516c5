package import QueueRuntime
package import IOChannelsSystem

/// A description of a request that keeps no object alive.
package struct RequestSummary: Hashable, Sendable {
  package var kind: Request.Kind
  /// The number of the descriptor.
  package var descriptor: Int32
  /// The path below the directory of the descriptor, nil for a request about the descriptor itself.
  package var path: BytePath?
  /// The offset in the file, nil for the file position.
  package var offset: Int64?
  /// The requested number of bytes, 0 for a request that transfers none.
  package var length: Int
  /// The quality of service of the request.
  package var priority: WorkQueue.QoS.QoSClass

  init(_ request: Request) {
    kind = request.kind
    descriptor = request.descriptor.rawValue
    path = request.path
    offset = request.offset
    length = request.length
    priority = request.priority
  }
}
