import DataRegions
import QueueRuntime
import IOChannelsEngine
import Synchronization
import IOChannelsSystem

/// Makes one request after the other and blocks the thread until each has ended.
final class Caller: RequestOwner {
  private let result = Mutex<TransferResult?>(nil)
  private let pending = WorkGroup()

  func requestEnded(_ request: Request, with answer: TransferResult) {
    result.withLock { $0 = answer }
    pending.leave()
  }

  /// Submits a request without waiting for its end.
  @discardableResult
  func submit(
    _ operation: Request.Operation,
    of descriptor: BorrowedDescriptor,
    traits: DescriptorTraits = .unknown,
    offset: Int64? = nil,
    to engine: Engine
  ) -> Request {
    pending.enter()
    let request = Request(
      operation,
      descriptor: descriptor,
      traits: traits,
      offset: offset,
      tag: 0,
      owner: self
    )
    engine.submit(request)
    return request
  }

  /// Waits for the end of what was submitted last.
  func answer() -> TransferResult? {
    pending.wait()
    return result.withLock { $0 }
  }

  /// Reads a byte of a file.
  func byte(at offset: Int, of file: BorrowedDescriptor, by engine: Engine) -> UInt8? {
    guard let buffer = BufferPool.shared.makeBuffer(atLeast: 1) else { return nil }
    // Whatever it lies on: the ring carries no files of unknown file systems.
    let traits = DescriptorTraits(kind: .seekable, fileSystem: .ext4)
    submit(.read(buffer, 0..<1), of: file, traits: traits, offset: Int64(offset), to: engine)
    guard answer() == .success(1) else { return nil }
    return buffer.filled(0..<1)[0]
  }
}

/// Ends the program where something is not as it has to be.
func check(_ condition: Bool, _ line: Int = #line) {
  if condition { return }
  stop(saying: "line \(line)")
}
