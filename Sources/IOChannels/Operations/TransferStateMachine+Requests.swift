import IOChannelsEngine
internal import IOChannelsLocks
import IOChannelsSystem

// MARK: - Parts

extension TransferStateMachine {
  /// Requests as many parts of a read as the window allows.
  mutating func requestReads(_ actions: inout Actions) {
    guard requestPlace != nil, !isProbing, case .read(var plan) = direction else { return }
    while true {
      let progress = ReadPlan.Progress(
        parts: parts.count,
        held: requestedBytes + unreturned,
        total: total,
        undelivered: undelivered
      )
      guard let range = plan.next(limits, blocks, after: progress) else { break }
      let start = blocks?.head(at: range.lowerBound) ?? 0
      // The length of a transfer is rounded up to a block, which does not change the size class.
      add(range, memoryCount: BufferPool.capacity(for: start + range.count), start: start)
      request(partAt: parts.count - 1, &actions)
    }
    direction = .read(plan)
  }

  /// Requests the next part of a write, or ends it.
  mutating func requestWrite(_ actions: inout Actions) {
    if data.isEmpty { return end(nil) }
    guard requestPlace != nil else { return }
    // The transfer determines the bytes of the part.
    add(total..<total, memoryCount: writePlan.memoryCount(for: data, at: total), start: 0)
    request(partAt: 0, &actions)
  }

  private mutating func add(_ range: Range<Int>, memoryCount: Int, start: Int) {
    parts.append(
      Part(
        number: nextNumber,
        offset: range.lowerBound,
        capacity: range.count,
        memoryCount: memoryCount,
        start: start
      )
    )
    objects.append(PartObjects())
    nextNumber += 1
  }

  /// Requests a part, or the rest of one after a short transfer.
  mutating func request(partAt index: Int, _ actions: inout Actions) {
    let part = parts[index]
    parts.change(at: index) { $0.isInOrder = index == 0 }
    if part.filled > 0, let blocks, blocks.head(at: part.offset + part.filled) > 0 {
      // Only the end of the file ends a transfer inside a block.
      parts.change(at: index) { $0.state = .answered(.success(0)) }
      return
    }
    requestedParts += 1
    requestedBytes += part.capacity - part.filled
    if !part.hasMemory && part.memoryCount > 0 {
      parts.change(at: index) { $0.state = .waiting }
    } else {
      prepare(partAt: index, &actions)
    }
  }

  /// Takes memory for the next part that waits for some, one part at a time.
  mutating func prepareNext(_ actions: inout Actions) {
    guard memoryTaker == nil, requestedParts > 0, requestPlace != nil else { return }
    for index in parts.indices {
      guard case .waiting = parts[index].state else { continue }
      memoryTaker = parts[index].number
      return prepare(partAt: index, &actions)
    }
  }

  private mutating func prepare(partAt index: Int, _ actions: inout Actions) {
    guard let transfer = transfer(ofPartAt: index) else { return }
    parts.change(at: index) { $0.state = .preparing }
    actions.append(.prepare(transfer))
  }

  private func transfer(ofPartAt index: Int) -> Transfer? {
    guard let place = requestPlace else { return nil }
    let part = parts[index]
    let content: Transfer.Content
    switch direction {
    case .read:
      let end = part.start + part.capacity
      let first = part.start + part.filled - part.head
      let last = blocks == nil ? end : DirectBlocks.end(of: end)
      content = .read(part.hasMemory ? objects[index].memory : nil, first..<last)
    case .write:
      content = .write(writePlan.next(of: data, at: total))
    }
    return Transfer(
      part: part.number,
      memory: part.hasMemory ? 0 : part.memoryCount,
      content: content,
      place: place,
      offset: part.offset + part.filled - part.head
    )
  }

  private var writePlan: WritePlan { WritePlan(limits: limits, blocks: blocks) }
}

// MARK: - Requests

extension TransferStateMachine {
  /// Returns the transfer for which the budget has granted memory.
  ///
  /// - Returns: Nil when no further part is needed, so that the memory has to be released.
  func grantedTransfer() -> Transfer? {
    guard let index = parts.firstIndex(where: { $0.number == memoryTaker }) else { return nil }
    return transfer(ofPartAt: index)
  }

  /// Returns the index of the part that still needs the memory and request of a transfer.
  ///
  /// A search by a method of all collections would retain the objects of the parts.
  @inline(__always)
  func part(preparedBy transfer: Transfer) -> Int? {
    for index in 0..<parts.count where parts[index].number == transfer.part {
      return parts[index].isPreparing ? index : nil
    }
    return nil
  }

  /// Processes the request of a transfer, and the memory of a read.
  ///
  /// A request that is not needed any more is not submitted.
  mutating func prepared(
    _ transfer: Transfer,
    _ request: EngineRequest,
    _ memory: Memory?,
    _ actions: inout Actions
  ) {
    if let index = preparedPart(of: transfer) {
      parts.change(at: index) { part in
        part.state = .inFlight
        part.heldCount += transfer.memory
        if memory != nil { part.hasMemory = true }
      }
      objects.change(at: index) { object in
        object.request = request
        if let memory { object.memory = memory }
      }
      actions.append(.submit(request))
    } else {
      released += transfer.memory
    }
    conclude(&actions)
  }

  /// Processes the error of a transfer for which no request could be created.
  mutating func refused(_ transfer: Transfer, _ error: SystemError, _ actions: inout Actions) {
    let index = preparedPart(of: transfer)
    released += transfer.memory
    if let index { answer(partAt: index, .failure(error), &actions) }
    conclude(&actions)
  }

  /// Ends the preparation of a transfer, and returns the index of its part if it is still needed.
  private mutating func preparedPart(of transfer: Transfer) -> Int? {
    if memoryTaker == transfer.part { memoryTaker = nil }
    return part(preparedBy: transfer)
  }

  /// Releases the memory of a part.
  mutating func releaseMemory(ofPartAt index: Int) {
    released += parts[index].heldCount
    parts.change(at: index) { $0.heldCount = 0 }
  }
}
