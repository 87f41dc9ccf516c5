import Glibc
import IOChannels
import IOChannelsEngine
import IOChannelsSystem
import IOChannelsTestSupport

/// How a channel comes to its end.
private enum End: CaseIterable {
  case close
  case drop
  case stop
  case stopInHandler
  case stopElsewhere

  var stops: Bool { self != .close && self != .drop }
}

/// Threads make channels and let them end in all ways, and peers end and reset; cleanup handlers
/// close the descriptors,
/// whose numbers are those of other files or pipes at once.
func reuse(_ engine: Engine, _ contents: Contents, seed: UInt64, count: Int) throws {
  let threads = 3
  let (open, running) = (WorkGroup(), WorkGroup())
  let room = CountingSemaphore(value: 32)
  for thread in 0..<threads {
    running.enter()
    try PlatformThread.start(name: "storm-\(thread)") {
      var generator = SeededGenerator(seed: seed &+ UInt64(thread))
      for _ in 0..<count / threads {
        room.wait()
        open.enter()
        do {
          try oneChannel(engine, contents, &generator) {
            room.signal()
            open.leave()
          }
        } catch {
          stop(saying: "\(error)")
        }
      }
      running.leave()
    }
  }
  running.wait()
  open.wait()
}

private func oneChannel(
  _ engine: Engine,
  _ contents: Contents,
  _ generator: inout SeededGenerator,
  beforeReads: () -> Void = {},
  whenOver: @escaping @Sendable () -> Void
) throws {
  let source = try Source(contents, &generator)
  let end = End.allCases[generator.number(in: 0..<End.allCases.count)]
  let isStream = source.kind.isStream || generator.chance(percent: 50)
  let reading = Reading(
    isStream ? .stream : .random,
    of: source.bytes,
    .init(
      mayBeStopped: end.stops,
      mayBeReset: source.kind == .connection,
      packetSize: source.feed.packetSize
    ),
    keepsPieces: generator.chance(percent: 20)
  )
  var feed = source.feed
  try feed.write(generator.number(in: 0..<3) * 500, to: source.writing)
  let queue = WorkQueue(label: "storm")
  // The source's own end stays, as the writer may go on after the cleanup.
  let number = try source.reading.borrowed.duplicate().release()
  let over = WorkGroup()
  over.enter()
  let channel = IOChannel(
    type: isStream ? .stream : .random,
    fileDescriptor: number,
    engine: engine,
    // The cleanup is not behind the handlers by chance.
    queue: .global()
  ) { error in
    reading.checkEnd(SystemError(errno: error))
    _ = OwnedDescriptor(owning: number)
    over.leave()
    whenOver()
  }
  // A stop of a channel that is still being made finds nothing in the kernel's hands.
  if generator.chance(percent: 50) { waitUntilMade(channel) }
  beforeReads()
  submitReads(channel, reading, queue, &generator)
  // What is asked for after the close may be answered after the cleanup.
  if end == .stopInHandler { reading.stop(channel, atDelivery: generator.number(in: 1..<4)) }
  if generator.chance(percent: 50) { try feed.write(4000, to: source.writing) }
  // The answer comes from the rings, which have looked at the reads then: without it most stops
  // come before the kernel has anything.
  if generator.chance(percent: 50) { _ = engine.report(stuckAfter: .zero) }
  switch end {
  case .drop: break
  case .close, .stopInHandler: channel.close()
  case .stop: channel.close(flags: .stop)
  case .stopElsewhere: WorkQueue.global().async { channel.close(flags: .stop) }
  }
  let isStopped = source.kind.isStream && end == .stop
  // A dropped channel ends with this function.
  guard isStopped || source.kind == .connection && end != .drop else {
    try feed.write(.max, to: source.writing)
    source.close()
    return
  }
  // A request that the kernel still had would take some of the bytes, into memory of others. A
  // reset may come during the stop.
  if source.kind != .connection || isStopped && generator.chance(percent: 50) { over.wait() }
  try feed.write(.max, to: source.writing)
  try checkRest(of: source, reading, over)
}

/// Compares what the channel has read, when it is over, with the rest of a stream.
private func checkRest(
  of source: consuming Source,
  _ reading: Reading,
  _ over: WorkGroup
) throws {
  let size = source.bytes.count
  let isConnection = source.kind == .connection
  let rest = try source.closeReadingRest(after: over)
  check(rest.count == size - reading.count)
  // The reset was reported once: to an operation, or just now.
  check(reading.resetCount + (rest.wasReset ? 1 : 0) == (isConnection ? 1 : 0))
}

/// Waits until something of a channel has run.
private func waitUntilMade(_ channel: IOChannel) {
  let isMade = CountingSemaphore(value: 0)
  channel.barrier { isMade.signal() }
  isMade.wait()
}

/// Reads parts of a file, some behind its end, or goes through a stream.
private func submitReads(
  _ channel: IOChannel,
  _ reading: Reading,
  _ queue: WorkQueue,
  _ generator: inout SeededGenerator
) {
  if generator.chance(percent: 30) {
    channel.setLimit(lowWater: generator.number(in: 0..<10_000))
    channel.setLimit(highWater: generator.number(in: 1000..<200_000))
  }
  for _ in 0..<generator.number(in: 1..<6) {
    let lengths = [0, 1, 700, 4096, 50_000, 400_000, 2 << 20, Int.max]
    let length = lengths[generator.number(in: 0..<lengths.count)]
    let offset = generator.number(in: 0..<generator.number(in: 1..<1_200_000))
    channel.read(
      offset: Int64(offset),
      length: length,
      queue: queue,
      ioHandler: reading.handler(offset: offset, length: length)
    )
  }
}

/// Threads make channels as `reuse` does, and begin their reads while no descriptor is free.
func scarce(_ engine: Engine, _ contents: Contents, seed: UInt64, count: Int) throws {
  try waitOnce(engine)
  let threads = 8
  for round in 0..<count / threads {
    let (made, start, running, open) = (WorkGroup(), WorkGroup(), WorkGroup(), WorkGroup())
    start.enter()
    for thread in 0..<threads {
      for group in [made, running, open] { group.enter() }
      try PlatformThread.start(name: "storm-\(thread)") {
        var generator = SeededGenerator(seed: seed &+ UInt64(round * threads + thread))
        let hold = {
          made.leave()
          start.wait()
        }
        do {
          try oneChannel(engine, contents, &generator, beforeReads: hold) { open.leave() }
        } catch {
          stop(saying: "\(error)")
        }
        running.leave()
      }
    }
    made.wait()
    let former = try limitDescriptors(to: 0)
    start.leave()
    running.wait()
    open.wait()
    _ = try limitDescriptors(to: former)
  }
}

/// Has a read wait, for which an engine on threads opens its two descriptors.
private func waitOnce(_ engine: Engine) throws {
  let ends = try PipeEnds()
  let before = try Belongings().descriptors
  let over = WorkGroup()
  over.enter()
  let channel = IOChannel(
    type: .stream,
    fileDescriptor: ends.reading.rawValue,
    engine: engine,
    queue: .global()
  ) { _ in over.leave() }
  channel.read(offset: 0, length: 1, queue: .global()) { _, _, _ in }
  while try Belongings().descriptors < before + 2 { sched_yield() }
  channel.close()
  _ = try ends.writing.borrowed.write([1], 0..<1)
  over.wait()
}

/// Descriptors are closed while requests are queued, without waiting for the cleanup.
///
/// Promised is that nothing crashes or hangs, that each operation is done once, and that it tells
/// `EBADF` or delivers the right bytes. That is all as long as the number is not used again: an
/// operation that begins later uses whatever has the number then, which only its owner can
/// prevent. So the numbers here are high ones, which nothing else gets before the round is over.
func rude(_ engine: Engine, _ contents: Contents, seed: UInt64, count: Int) throws {
  var generator = SeededGenerator(seed: seed)
  let perRound = 20
  for _ in 0..<count / perRound {
    let open = WorkGroup()
    for index in 0..<perRound {
      open.enter()
      try oneRudeChannel(engine, contents, &generator, number: 512 + Int32(index)) {
        open.leave()
      }
    }
    open.wait()
  }
}

private func oneRudeChannel(
  _ engine: Engine,
  _ contents: Contents,
  _ generator: inout SeededGenerator,
  number: Int32,
  whenOver: @escaping @Sendable () -> Void
) throws {
  let source = try Source(contents, &generator)
  let stops = generator.chance(percent: 30)
  let isStream = source.kind.isStream || generator.chance(percent: 50)
  let reading = Reading(
    isStream ? .stream : .random,
    of: source.bytes,
    .init(
      mayBeStopped: stops,
      mayBeWithoutDescriptor: true,
      mayBeReset: source.kind == .connection,
      packetSize: source.feed.packetSize
    ),
    keepsPieces: false
  )
  check(fcntl(source.reading.rawValue, F_DUPFD_CLOEXEC, number) == number)
  // Where the creation fails, the cleanup may come before all is submitted.
  reading.running.enter()
  defer { reading.running.leave() }
  let queue = WorkQueue(label: "rude")
  let channel = IOChannel(
    type: isStream ? .stream : .random,
    fileDescriptor: number,
    engine: engine,
    queue: queue
  ) { error in
    // Where the creation failed, what was asked for later is answered at any time.
    reading.running.notify(queue: queue) {
      reading.checkEnd(SystemError(errno: error))
      whenOver()
    }
  }
  var feed = source.feed
  submitReads(channel, reading, queue, &generator)
  if generator.chance(percent: 50) { try feed.write(4000, to: source.writing) }
  _ = OwnedDescriptor(owning: number)
  submitReads(channel, reading, queue, &generator)
  channel.close(flags: stops ? .stop : [])
  try feed.write(.max, to: source.writing)
  source.close()
}
