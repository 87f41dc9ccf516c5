import CIOChannelsURing
import CIOChannelsSystem
import DataRegions
import IOChannelsSystem

extension Ring {
  /// Prepares an entry for a transfer, which must live until its completion.
  ///
  /// - Returns: Whether there was room. If not, the caller submits first.
  func prepare(_ request: Request, token: UInt64) -> Bool {
    unsafe prepare(token) { entry in
      let offset = UInt64(bitPattern: request.pieceOffset ?? -1)
      let length = UInt32(request.length)
      switch request.operation {
      case .read(let buffer, let range):
        let start = unsafe buffer.start + range.lowerBound
        unsafe io_uring_prep_read(entry, request.descriptor.rawValue, start, length, offset)
      case .write(let data):
        unsafe prepareWrite(of: request, request.bytes(ofPieceOf: data), entry, offset)
      default: preconditionFailure("A ring carries only transfers.")
      }
      unsafe entry.pointee.ioprio = request.diskPriority
      if request.isUncached { unsafe entry.pointee.rw_flags = CSYS_RWF_DONTCACHE }
    }
  }

  /// Prepares a write of bytes that the request keeps.
  private func prepareWrite(
    of request: Request,
    _ data: DataBuffer,
    _ entry: UnsafeMutablePointer<io_uring_sqe>,
    _ offset: UInt64
  ) {
    let number = request.descriptor.rawValue
    let regions = data.regions
    if regions.count == 1, let region = regions.first {
      let count = UInt32(region.count)
      return unsafe io_uring_prep_write(entry, number, region.start, count, offset)
    }
    let list = request.vectors ?? VectorList(data)
    request.vectors = list
    unsafe io_uring_prep_writev(
      entry,
      number,
      UnsafeRawPointer(list.vectors).assumingMemoryBound(to: iovec.self),
      UInt32(list.count),
      offset
    )
  }
}
