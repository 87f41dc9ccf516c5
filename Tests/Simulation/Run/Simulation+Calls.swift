import IOChannels
import IOChannelsEngine
import IOChannelsSystem

/// What the user calls.
extension Simulation {
  /// Where a cleanup handler finds the record, which is made after its channel.
  final class Place: @unchecked Sendable {
    var record: ChannelRecord?
  }

  /// Makes one call, of any kind, on any channel that is held.
  func call() {
    calls += 1
    if let program = profile.program { return call(program.calls[calls - 1]) }
    let held = channels.filter { $0.channel != nil }
    guard !held.isEmpty else { return makeChannel() }
    if profile.isCrowded, random.chance(percent: 95),
      let crowded = held.first(where: { $0.kind == .random && $0.openingError == nil })
    {
      return random.chance(percent: 60) ? read(crowded) : write(crowded)
    }
    let record = random.element(of: held)
    switch random.number(below: 100) {
    case ..<45: read(record)
    case ..<74: write(record)
    case ..<81: addBarrier(record)
    case ..<85: setLimits(record)
    case ..<87: setInterval(record)
    case ..<88: setTarget(record)
    case ..<90: transferOnce(beside: record)
    case ..<91: close(record, byLettingGo: true)
    case ..<92: close(record, byLettingGo: false)
    case ..<95: stop(record)
    case ..<98: makeSibling(of: record)
    default: makeChannel()
    }
  }

  func makeChannel() {
    if random.chance(percent: 20) { return makePathChannel() }
    let isBad = random.chance(percent: 3)
    let index = random.number(below: files.count)
    let (file, open) = (files[index], surroundings.files[index])
    let isStream = random.chance(percent: 50)
    let isRandomPipe = open.isPollable && !isStream
    if isRandomPipe, random.chance(percent: 80) { return makeChannel() }
    var number = random.element(of: open.numbers)
    // Streams of one position by two descriptors would be the user's mistake.
    if isStream, !open.isPollable, let other = file.streams.first(where: { !$0.hasCleanedUp }) {
      number = other.descriptor.rawValue
    }
    let error: SystemError? = isBad ? .badFileDescriptor : isRandomPipe ? .illegalSeek : nil
    makeChannel(
      isStream ? .stream : .random,
      file,
      number: isBad ? -1 : number,
      error,
      mayNotBeSeen: profile.faults.contains(.badLook) && random.chance(percent: 20)
    )
  }

  /// Makes a channel of an open file that is known by a number, at which the first look may fail.
  func makeChannel(
    _ kind: IOChannel.StreamType,
    _ file: SimulatedFile,
    number: Int32,
    _ error: SystemError?,
    mayNotBeSeen: Bool = false
  ) {
    let token = token
    let place = Place()
    let base = (try? BorrowedDescriptor(rawValue: number).position()) ?? 0
    let channel = IOChannel(
      type: kind,
      fileDescriptor: number,
      engine: engine,
      queue: surroundings.queues[0]
    ) { [self, token] error in
      _ = token
      place.record?.cleanedUp(SystemError(errno: error), report)
      callFromHandler()
    }
    let shared = sharedRecord(of: channel, number: number)
    let isNotSeen = mayNotBeSeen && number >= 0 && shared.channels.isEmpty
    let error = isNotSeen ? .ioError : error
    let record = ChannelRecord(
      channel,
      kind: kind,
      file: file,
      descriptor: BorrowedDescriptor(rawValue: number),
      openingError: error,
      base: base,
      shared: shared,
      step: profile.sizes.step
    )
    place.record = record
    record.shared.add(record)
    log.add(record)
    if kind == .stream, error == nil { file.streams.append(record) }
    channels.append(record)
  }

  /// What a channel shares with others, which it must if one of its descriptor is open.
  private func sharedRecord(of channel: IOChannel, number: Int32) -> DescriptorRecord {
    let others = channels.filter { $0.descriptor.rawValue == number }
    let open = others.last { !$0.isClosed && $0.openingError == nil }
    let same = others.last { $0.shared.sharedState === channel.sharedState }
    report.expect(
      open == nil || open?.shared === same?.shared,
      "S131: two channels of a descriptor have no common order"
    )
    return same?.shared ?? DescriptorRecord(sharedState: channel.sharedState)
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

  private func setInterval(_ record: ChannelRecord) {
    let interval = random.chance(percent: 25) ? 0 : random.number(in: 1...2 * profile.latency)
    let isStrict = random.chance(percent: 85)
    record.channel?.setInterval(
      interval: .nanoseconds(interval),
      flags: isStrict ? .strictInterval : []
    )
    record.hasInterval = isStrict && interval > 0
  }

  private func setTarget(_ record: ChannelRecord) {
    let place = random.number(below: surroundings.queues.count + 1)
    record.target = place < surroundings.queues.count ? place : nil
    record.channel?.setTarget(queue: record.target.map { surroundings.queues[$0] })
  }

  func stop(_ record: ChannelRecord) {
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

  func addBarrier(_ record: ChannelRecord) {
    let sequence = record.shared.addBarrier(of: record)
    if record.isClosed { report.count(.barrierAfterClose) }
    if !record.operations.allSatisfy(\.isDone) { report.count(.barrierWaited) }
    let token = token
    let target = record.target
    record.channel?.barrier { [self, token] in
      _ = token
      if target != nil { report.count(.barrierOnTarget) }
      report.expect(
        WorkQueue.getSpecific(key: Surroundings.place) == target,
        "S139: a barrier does not run on its target"
      )
      record.shared.barrierBegan(sequence, report)
      report.count(.barrierRan)
      callFromHandler()
      record.shared.barrierEnded()
    }
  }
}

// MARK: - Operations

extension Simulation {
  private func read(_ record: ChannelRecord) {
    let length = length(record, max: 10)
    let isEndless = length > 0 && record.highWater > 64 && random.chance(percent: 30)
    read(record, offset: offset(record), length: isEndless ? .max : length, on: nextQueue())
  }

  func read(_ record: ChannelRecord, offset: Int64, length: Int, on queue: WorkQueue) {
    submit(record, .read, offset: offset, length: length, payload: 0) { channel, handler in
      channel.read(offset: offset, length: length, queue: queue, ioHandler: handler)
    }
  }

  private func write(_ record: ChannelRecord) {
    let length = length(record, max: 6)
    let start = random.number(below: Pattern.bytes.count - length)
    let data = payload(start..<start + length)
    write(record, offset: offset(record), data, from: start, on: nextQueue())
  }

  func write(
    _ record: ChannelRecord,
    offset: Int64,
    _ data: DataBuffer,
    from start: Int,
    on queue: WorkQueue
  ) {
    submit(record, .write, offset: offset, length: data.count, payload: start) { channel, handler in
      channel.write(offset: offset, data: data, queue: queue, ioHandler: handler)
    }
  }

  /// A queue for the handlers of an operation.
  func nextQueue() -> WorkQueue { random.element(of: surroundings.queues) }

  private func length(_ record: ChannelRecord, max steps: Int) -> Int {
    if random.chance(percent: 4) { return 0 }
    let unit = min(profile.sizes.step, record.highWater.addingSaturating(0))
    return random.number(in: 1...max(2, min(unit * steps, 24 << 10)))
  }

  /// The bytes of a part of the pattern, in a few regions.
  func payload(_ range: Range<Int>) -> DataBuffer {
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
    offset: Int64,
    length: Int,
    payload: Int,
    _ call: (IOChannel, @escaping IOChannel.Handler) -> Void
  ) {
    guard let channel = record.channel else { return }
    let (sum, isOverflow) = record.base.addingReportingOverflow(offset)
    let place: OperationRecord.Place =
      record.kind == .stream ? .stream : isOverflow || sum < 0 ? .nowhere : .offset(sum)
    let operation = OperationRecord(
      direction: direction,
      sequence: record.shared.nextPlaceInOrder(),
      line: record.line(direction),
      place: place,
      length: length,
      payloadStart: payload,
      lowWater: record.lowWater,
      highWater: record.highWater,
      hasInterval: record.hasInterval,
      refusal: record.refusal,
      path: record.path
    )
    if operation.refusal == nil { record.add(operation) }
    report.operations += 1
    let token = token
    // A look for its bytes may let others make calls in between.
    let asked = log.asked
    log.asked = (record, operation)
    defer { log.asked = asked }
    call(channel) { [self, token] isDone, data, error in
      _ = token
      operation.called(isDone, data, SystemError(errno: error), report)
      if operation.refusal == nil { record.shared.checkDelivery(of: operation, report) }
      callFromHandler()
      if isDone { log.forget(operation) }
      operation.handlerReturned(report)
    }
  }

  /// Lets other threads make a call and run a job, sometimes, while one looks into memory for a
  /// channel.
  ///
  /// At its submission a read is not the channel's yet, so a stop finds only one that was granted.
  func othersGoOn(_ record: ChannelRecord, isGranted: Bool) {
    if isGranted, record.channel != nil, random.chance(percent: 25) {
      report.count(.stoppedDuringLook)
      stop(record)
    }
    if calls < profile.calls, random.chance(percent: 30) {
      report.count(.calledDuringLook)
      if random.chance(percent: 20) { close(record, byLettingGo: false) } else { call() }
    }
    if random.chance(percent: 50) { surroundings.jobs.runOne(random) }
  }

  /// Lets a handler make a call, sometimes.
  func callFromHandler() {
    guard calls < profile.calls, random.chance(percent: profile.callsFromHandlers) else { return }
    report.count(.calledFromHandler)
    call()
  }
}
