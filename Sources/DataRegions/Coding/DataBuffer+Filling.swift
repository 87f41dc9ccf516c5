extension DataBuffer {
  /// Makes a buffer of one region with the bytes that `fill` appends.
  ///
  /// Bytes that use less than half of the capacity are copied into memory of their own size.
  init<Failure>(
    rawCapacity: Int,
    initializingWith fill: (inout OutputRawSpan) throws(Failure) -> Void
  ) throws(Failure) {
    guard rawCapacity > 0 else {
      var output = OutputRawSpan()
      try fill(&output)
      self.init()
      return
    }
    let owner = unsafe CopiedBytes(capacity: rawCapacity) { _ in }
    let memory = unsafe UnsafeMutableRawBufferPointer(start: owner.start, count: rawCapacity)
    var output = unsafe OutputRawSpan(buffer: memory, initializedCount: 0)
    try fill(&output)
    let count = unsafe output.finalize(for: memory)
    let filled = DataBuffer(owner: owner, range: 0..<count)
    let isSparse = count < rawCapacity / 2
    self = isSparse ? filled.regions.first.map { DataBuffer(bytes: $0.bytes) } ?? .empty : filled
  }
}
