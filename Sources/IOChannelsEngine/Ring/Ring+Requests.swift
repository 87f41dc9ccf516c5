import CIOChannelsURing
import CIOChannelsSystem
import DataRegions
import IOChannelsSystem

extension Ring {
  /// Prepares an entry for a request, which must live until its completion.
  ///
  /// - Precondition: Rings can carry out the request.
  /// - Returns: Whether there was room. If not, the caller submits first.
  func prepare(_ request: Request, token: UInt64) -> Bool {
    switch request.operation {
    case .read, .write: prepareTransfer(of: request, token: token)
    case .close, .synchronize, .allocate, .truncate, .status:
      prepareOther(request, token: token)
    case .open, .advise, .writeBack: preconditionFailure("What rings do not carry is a plain call.")
    }
  }

  private func prepareTransfer(of request: Request, token: UInt64) -> Bool {
    unsafe prepare(token) { entry in
      let offset = UInt64(bitPattern: request.pieceOffset ?? -1)
      let length = UInt32(request.length)
      switch request.operation {
      case .read(let buffer, let range):
        let start = unsafe buffer.start + range.lowerBound
        unsafe io_uring_prep_read(entry, request.descriptor.rawValue, start, length, offset)
      case .write(let data):
        unsafe prepareWrite(of: request, request.bytes(ofPieceOf: data), entry, offset)
      default: break
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

  private func prepareOther(_ request: Request, token: UInt64) -> Bool {
    unsafe prepare(token) { entry in
      let number = request.descriptor.rawValue
      switch request.operation {
      case .close:
        unsafe io_uring_prep_close(entry, number)
      case .synchronize(let dataOnly):
        unsafe io_uring_prep_fsync(entry, number, dataOnly ? IORING_FSYNC_DATASYNC : 0)
      case .allocate(let mode, let length):
        let offset = Int(request.offset ?? 0)
        unsafe io_uring_prep_fallocate(entry, number, mode.rawValue, offset, Int(length))
      case .truncate(let length):
        unsafe io_uring_prep_rw(
          Int32(CSYS_RING_TRUNCATE),
          entry,
          number,
          nil,
          0,
          UInt64(bitPattern: length)
        )
      case .status(let path, let following):
        let memory = memory(of: request, path: path)
        // Without a path the request is about the descriptor itself (`AT_EMPTY_PATH`).
        let flags = (path == nil ? 0x1000 : 0) | (following ? 0 : AT_SYMLINK_NOFOLLOW)
        unsafe io_uring_prep_statx(
          entry,
          number,
          memory.path,
          flags,
          csys_statx_mask,
          OpaquePointer(memory.room)
        )
      default: break
      }
    }
  }

  /// Returns the memory of a request, the same for every attempt.
  private func memory(of request: Request, path: BytePath?) -> RequestMemory {
    let extras = request.makeExtras()
    let memory = extras.memory ?? RequestMemory(path: path)
    extras.memory = memory
    return memory
  }
}
