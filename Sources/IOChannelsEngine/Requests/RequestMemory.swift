import CIOChannelsSystem
import QueueRuntime
import IOChannelsSystem

/// Memory of one request that the kernel reads or writes while it has the request: the bytes of a
/// path, and room for a status or a point in time.
@safe
final class RequestMemory {
  /// The room, then the path with its closing zero.
  private let start: UnsafeMutableRawPointer

  init(path: BytePath? = nil) {
    let bytes = path.map { Array($0.bytes) } ?? []
    let byteCount = csys_statx_size + bytes.count + 1
    unsafe start = .allocate(byteCount: byteCount, alignment: 16)
    unsafe start.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
    for (index, byte) in bytes.enumerated() {
      unsafe start.storeBytes(of: byte, toByteOffset: csys_statx_size + index, as: UInt8.self)
    }
  }

  deinit {
    unsafe start.deallocate()
  }

  var path: UnsafePointer<CChar> {
    unsafe UnsafePointer((start + csys_statx_size).assumingMemoryBound(to: CChar.self))
  }

  /// The room.
  var room: UnsafeMutableRawPointer { unsafe start }

  /// What the kernel has written into the room.
  var status: FileStatus? { unsafe try? csys_statx_status(start).get() }

  /// Puts a point in time into the room, as two numbers of 64 bits.
  func store(_ deadline: Deadline) {
    let nanoseconds = Int64(clamping: deadline.nanoseconds)
    unsafe start.storeBytes(of: nanoseconds / 1_000_000_000, as: Int64.self)
    unsafe start.storeBytes(of: nanoseconds % 1_000_000_000, toByteOffset: 8, as: Int64.self)
  }
}
