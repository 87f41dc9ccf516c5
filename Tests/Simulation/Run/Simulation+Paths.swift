import IOChannels
import IOChannelsEngine
import IOChannelsSystem

/// Channels that open their files themselves.
extension Simulation {
  /// Makes a channel of a path, which leads to one of the open files, or to none.
  func makePathChannel() {
    let index = random.number(below: files.count)
    let (file, open) = (files[index], surroundings.files[index])
    // What appends is the open file, not the one behind it.
    if open.isAppending { return makeChannel() }
    let kind: IOChannel.StreamType = random.chance(percent: 50) ? .stream : .random
    var path = surroundings.paths[index]
    var error: SystemError? = open.isPollable && kind == .random ? .illegalSeek : nil
    if profile.faults.contains(.badLook), random.chance(percent: 20) {
      error = .ioError
    } else if random.chance(percent: 3) {
      (path, error) = ("/", .isDirectory)
    } else if random.chance(percent: 3) {
      (path, error) = ("/proc/none", .noSuchFileOrDirectory)
    }
    let pathRecord = randomPath()
    let token = token
    let place = Place()
    let channel = IOChannel(
      type: kind,
      path: path,
      oflag: (open.isPollable ? OpenFlags.readOnly : .readWrite).rawValue,
      mode: 0,
      engine: engine,
      queue: surroundings.queues[0]
    ) { [self, token] error in
      _ = token
      place.record?.cleanedUp(SystemError(errno: error), report)
      callFromHandler()
    }
    guard let channel else { return report.expect(false, "S6: a path was refused") }
    let record = ChannelRecord(
      channel,
      kind: kind,
      file: file,
      descriptor: .workingDirectory,
      openingError: error,
      base: 0,
      shared: DescriptorRecord(sharedState: channel.sharedState),
      path: pathRecord,
      step: profile.sizes.step
    )
    place.record = record
    record.shared.add(record)
    log.add(record)
    channels.append(record)
  }
}

extension Simulation {
  /// A path that cannot be opened, or whose closing tells an error, now and then.
  func randomPath() -> PathRecord {
    let openingFails = profile.faults.contains(.badOpening) && random.chance(percent: 30)
    let closingFails = profile.faults.contains(.badClosing) && random.chance(percent: 30)
    return PathRecord(
      openingError: openingFails ? .tooManyOpenFiles : nil,
      closingFails: closingFails
    )
  }
}

/// Transfers without a channel of the user's.
extension Simulation {
  /// Reads or writes once on the descriptor of a stream, of which it takes its turn.
  func transferOnce(beside host: ChannelRecord) {
    guard host.kind == .stream, host.openingError == nil, host.path == nil, !host.isClosed else {
      return
    }
    // One that gets no memory would end before anything of it was seen.
    let reads = !profile.faults.contains(.noMemory) && random.chance(percent: 50)
    let length = random.number(in: 1...3 * profile.sizes.step)
    let start = reads ? 0 : random.number(below: Pattern.bytes.count - length)
    let record = ChannelRecord(oneShotBeside: host)
    let operation = OperationRecord(
      direction: reads ? .read : .write,
      sequence: host.shared.nextPlaceInOrder(),
      line: record.line(reads ? .read : .write),
      place: .stream,
      length: length,
      payloadStart: start,
      lowWater: .max,
      highWater: .max,
      hasInterval: false,
      refusal: nil
    )
    record.add(operation)
    host.file.streams.append(record)
    channels.append(record)
    log.add(record)
    report.operations += 1
    let number = host.descriptor.rawValue
    let (queue, token) = (nextQueue(), token)
    if reads {
      IOChannel.read(
        fromFileDescriptor: number,
        maxLength: length,
        engine: engine,
        runningHandlerOn: queue
      ) { [self, token] data, error in
        _ = token
        hasReadOnce(operation, data, SystemError(errno: error))
        endOneShot(record, operation, SystemError(errno: error), .oneShotRead)
      }
    } else {
      IOChannel.write(
        toFileDescriptor: number,
        data: payload(start..<start + length),
        engine: engine,
        runningHandlerOn: queue
      ) { [self, token] rest, error in
        _ = token
        operation.called(true, rest, SystemError(errno: error), report)
        endOneShot(record, operation, SystemError(errno: error), .oneShotWrote)
      }
    }
  }

  /// Takes what a one-shot read has brought, as a channel would have told it: bytes that come
  /// before an error or the end in a call of their own.
  private func hasReadOnce(_ operation: OperationRecord, _ data: DataBuffer, _ error: SystemError?)
  {
    if error == nil, data.count == operation.length {
      return operation.called(true, data, nil, report)
    }
    if !data.isEmpty {
      operation.called(false, data, nil, report)
      operation.handlerReturned(report)
    }
    operation.called(true, error == nil ? .empty : nil, error, report)
  }

  private func endOneShot(
    _ record: ChannelRecord,
    _ operation: OperationRecord,
    _ error: SystemError?,
    _ mark: Mark
  ) {
    report.count(error == nil ? mark : .oneShotFailed)
    log.forget(operation)
    log.forget(record)
    record.oneShotIsOver(report)
    callFromHandler()
    operation.handlerReturned(report)
  }
}
