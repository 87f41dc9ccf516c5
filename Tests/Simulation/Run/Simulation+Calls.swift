import IOChannels
import RequestEngine
import SystemCalls

/// What the user calls.
extension Simulation {
  /// Makes one call, of any kind, on any channel that is held.
  func call() {
    calls += 1
    let held = channels.filter { $0.channel != nil }
    guard !held.isEmpty else { return makeChannel() }
    if profile.isCrowded, random.chance(percent: 95),
      let crowded = held.first(where: { $0.kind == .random && $0.openingError == nil })
    {
      return random.chance(percent: 60) ? read(crowded) : write(crowded)
    }
    let record = random.element(of: held)
    switch random.number(below: 100) {
    case ..<46: read(record)
    case ..<76: write(record)
    case ..<83: addBarrier(record)
    case ..<90: setLimits(record)
    case ..<91: close(record, byLettingGo: true)
    case ..<92: close(record, byLettingGo: false)
    case ..<95: stop(record)
    default: makeChannel()
    }
  }

  func makeChannel() {
    let isBad = random.chance(percent: 3)
    let index = random.number(below: files.count)
    let open = surroundings.files[index]
    let free = open.numbers.filter(log.isFree)
    guard let number = isBad ? -1 : free.first else { return }
    let hasStream = channels.contains {
      $0.file.index == index && $0.kind == .stream && !$0.hasCleanedUp
    }
    // Two streams of one file position would be the user's mistake.
    let isStream = random.chance(percent: 50) && (open.isPollable || !hasStream)
    let isRandomPipe = open.isPollable && !isStream
    if isRandomPipe, random.chance(percent: 80) { return makeChannel() }
    var base: Int64 = 0
    if !open.isPollable { base = (try? open.descriptor.position()) ?? 0 }
    let record = ChannelRecord(
      kind: isStream ? .stream : .random,
      file: files[index],
      descriptor: BorrowedDescriptor(rawValue: number),
      openingError: isBad ? .badFileDescriptor : isRandomPipe ? .illegalSeek : nil,
      base: base,
      step: profile.sizes.step
    )
    if !isBad { log.add(record) }
    channels.append(record)
    let token = token
    record.channel = IOChannel(
      kind: record.kind,
      fileDescriptor: number,
      engine: engine,
      queue: surroundings.queues[0]
    ) { [self, token] error in
      _ = token
      record.cleanedUp(error, report)
      callFromHandler()
    }
  }

  private func setLimits(_ record: ChannelRecord) {
    let step = profile.sizes.step
    if random.chance(percent: 60) {
      let marks = [0, 1, random.number(in: 2...64), step / 2, step, step + 1, 3 * step, .max]
      let mark = random.element(of: marks)
      record.channel?.setLimit(lowWater: mark)
      if record.highWater < mark { record.highWater = max(mark, 1) }
      record.lowWater = mark
    } else {
      let marks = [random.number(in: 0...16), step / 4, step / 2 + 1, step, 2 * step + 1, 5 * step]
      let mark = random.element(of: marks)
      record.channel?.setLimit(highWater: mark)
      record.highWater = max(mark, 1)
      record.lowWater = min(record.lowWater, mark)
    }
  }

  private func stop(_ record: ChannelRecord) {
    record.stop(report)
    record.channel?.close(flags: .stop)
  }

  func close(_ record: ChannelRecord, byLettingGo: Bool) {
    record.close()
    if byLettingGo {
      if record.channel != nil { report.count(.letGo) }
      record.channel = nil
    } else {
      record.channel?.close()
    }
  }

  private func addBarrier(_ record: ChannelRecord) {
    let sequence = record.addBarrier()
    if record.isClosed { report.count(.barrierAfterClose) }
    if !record.operations.allSatisfy(\.isDone) { report.count(.barrierWaited) }
    let token = token
    record.channel?.barrier { [self, token] in
      _ = token
      record.barrierBegan(sequence, report)
      report.count(.barrierRan)
      callFromHandler()
      record.barrierEnded()
    }
  }
}

// MARK: - Operations

extension Simulation {
  private func read(_ record: ChannelRecord) {
    let length = length(record, max: 10)
    let isEndless = length > 0 && record.highWater > 64 && random.chance(percent: 30)
    submit(record, .read, length: isEndless ? .max : length, payload: 0) {
      $0.read(offset: $1, length: $2.length, queue: $3, ioHandler: $4)
    }
  }

  private func write(_ record: ChannelRecord) {
    let length = length(record, max: 6)
    let start = random.number(below: Pattern.bytes.count - length)
    let data = payload(start..<start + length)
    submit(record, .write, length: length, payload: start) {
      $0.write(offset: $1, data: data, queue: $3, ioHandler: $4)
    }
  }

  private func length(_ record: ChannelRecord, max steps: Int) -> Int {
    if random.chance(percent: 4) { return 0 }
    let unit = min(profile.sizes.step, record.highWater.addingSaturating(0))
    return random.number(in: 1...max(2, min(unit * steps, 24 << 10)))
  }

  /// The bytes of a part of the pattern, in a few regions.
  private func payload(_ range: Range<Int>) -> DataBuffer {
    if range.count > Request.regionLimit, random.chance(percent: 1) {
      return range.reduce(into: .empty) { data, place in
        data.append(Pattern.regions[Int(Pattern.bytes[place])])
      }
    }
    var data = DataBuffer.empty
    var start = range.lowerBound
    while start < range.upperBound {
      let isLast = random.chance(percent: 40)
      let count =
        isLast ? range.upperBound - start : random.number(in: 1...range.upperBound - start)
      data.append(DataBuffer(Pattern.bytes[start..<start + count]))
      start += count
    }
    return data
  }

  private func offset(_ record: ChannelRecord) -> Int64 {
    switch random.number(below: 100) {
    case 0: return -record.base - 1 - Int64(random.number(below: 9))
    case 1: return .max - Int64(random.number(below: 2 * profile.sizes.step))
    case 2: return .max - record.base
    default: return Int64(random.number(below: max(1, record.file.content.count + 4096)))
    }
  }

  private func submit(
    _ record: ChannelRecord,
    _ direction: Direction,
    length: Int,
    payload: Int,
    _ call: (IOChannel, Int64, OperationRecord, WorkQueue, @escaping IOChannel.Handler) -> Void
  ) {
    guard let channel = record.channel else { return }
    let offset = offset(record)
    let (sum, isOverflow) = record.base.addingReportingOverflow(offset)
    let place: OperationRecord.Place =
      record.kind == .stream ? .stream : isOverflow || sum < 0 ? .nowhere : .offset(sum)
    let operation = OperationRecord(
      direction: direction,
      sequence: record.nextPlaceInOrder(),
      line: record.line(direction),
      place: place,
      length: length,
      payloadStart: payload,
      lowWater: record.lowWater,
      highWater: record.highWater,
      refusal: record.openingError ?? (record.isClosed ? .canceled : nil)
    )
    if operation.refusal == nil { record.add(operation) }
    report.operations += 1
    let queue = random.element(of: surroundings.queues)
    let token = token
    call(channel, offset, operation, queue) { [self, token] isDone, data, error in
      _ = token
      operation.called(isDone, data, error, report)
      callFromHandler()
      if isDone { log.forget(operation) }
      operation.handlerReturned(report)
    }
  }

  /// Lets a handler make a call, sometimes.
  private func callFromHandler() {
    guard calls < profile.calls, random.chance(percent: profile.callsFromHandlers) else { return }
    report.count(.calledFromHandler)
    call()
  }
}
