import CIOChannelsSystem
import IOChannelsSystem

/// Memory of one request that the kernel accesses: a path, and space for a status.
@safe
final class RequestMemory {
  /// The address of the space, which the path with its terminating zero follows.
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

  /// The space for a status.
  var room: UnsafeMutableRawPointer { unsafe start }

  /// The status that the kernel has written into the space.
  var status: FileStatus? { unsafe try? csys_statx_status(start).get() }
}
