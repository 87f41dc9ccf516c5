import IOChannels
import IOChannelsEngine
import IOChannelsLocks
import IOChannelsSystem
import IOChannelsTestSupport

/// What came of one operation.
final class OperationLog: Sendable {
  private struct State {
    var entries: [String] = []
    var data = DataBuffer.empty
  }

  private let state = BargingLock(State())
  private let isRead: Bool
  /// Entered until the operation is done.
  let running = WorkGroup()

  init(isRead: Bool) {
    self.isRead = isRead
    running.enter()
  }

  func add(_ isDone: Bool, _ data: DataBuffer?, _ error: Int32) {
    let size = data.map { $0.isEmpty ? "empty" : "\($0.count)" } ?? "nil"
    state.withLock { state in
      state.entries.append("\(isDone ? 1 : 0)/\(size)/\(error)")
      if let data { state.data.append(data) }
    }
    if isDone { running.leave() }
  }

  /// All deliveries, or, where their split is the kernel's, their sum and the last one.
  func text(isExact: Bool) -> String {
    state.withLock { state in
      // The same in both runs, which have one seed for hashes.
      let sum = "\(state.data.count) bytes #\(state.data.hashValue)"
      if isExact { return state.entries.joined(separator: " ") + " \(sum)" }
      let last = state.entries.last ?? "none"
      let parts = last.split(separator: "/")
      let hasData = parts.count == 3 && Int(parts[1]) != nil
      guard isRead else { return last }
      return "\(sum) \(hasData ? "1/data/\(parts[2])" : last)"
    }
  }
}

/// A directory that stays open.
private let rootNumber = (try? openFile("/", .directory).release()) ?? -1

/// The bytes of all files, and more.
private let allBytes = pattern(5_000_000)

/// What came beside operations, in order.
final class Notes: Sendable {
  private let state = BargingLock<[String]>([])
  var all: [String] { state.withLock { $0 } }

  func add(_ note: String) {
    state.withLock { $0.append(note) }
  }
}

/// Carries a script out and tells what came of it in a line.
final class Run<Channel: ScriptedChannel> {
  private let script: Script
  private let directory: String
  private let group = WorkGroup()
  private var logs: [OperationLog] = []
  private let notes = Notes()
  private let cleanups = Notes()
  private var isSibling = false
  private var channel: Channel?
  private var number: Int32 = -1

  init(_ script: Script, in directory: String) {
    self.script = script
    self.directory = directory
  }

  func line() throws -> String {
    let path = "\(directory)/file"
    _ = try? BorrowedDescriptor.workingDirectory.remove(BytePath(path))
    switch script.place {
    case .file(let size, let position):
      let file = try makeFile(path, size)
      try file.borrowed.setPosition(Int64(position))
      number = file.rawValue
      if !isOneShot { channel = .make(isRandom: script.isRandom, number: number, cleanup()) }
      try go()
      note("position \(try file.borrowed.position())")
    case .path(let size, let oflag):
      if let size { _ = try makeFile(path, size) }
      channel = .make(isRandom: script.isRandom, path: path, oflag: oflag, cleanup())
      try go()
    case .source(let size, let ends):
      try goOnPipe(size, ends)
    case .sink(let isRead):
      try goIntoPipe(isRead)
    case .badNumber:
      channel = .make(isRandom: script.isRandom, number: 99_997, cleanup())
      try go()
    case .directory:
      // One for all: Dispatch may still know it as a directory after the cleanup.
      channel = .make(isRandom: script.isRandom, number: rootNumber, cleanup())
      try go()
    }
    note(content(path))
    let operations = logs.enumerated().map { "\($0)[\($1.text(isExact: script.isExact))]" }
    // How cleanups and barriers mix is left to chance.
    return (operations + notes.all + cleanups.all.sorted()).joined(separator: " ")
  }

  private var isOneShot: Bool {
    script.steps.contains {
      switch $0 {
      case .readOnce, .writeOnce: true
      default: false
      }
    }
  }

  private func note(_ text: String) {
    notes.add(text)
  }

  private func makeFile(_ path: String, _ size: Int) throws -> OwnedDescriptor {
    let file = try openFile(path, [.readWrite, .create])
    var start = 0
    while start < size { start += try file.borrowed.write(allBytes, start..<size) }
    return file
  }

  /// A look at what stands in the file in the end.
  private func content(_ path: String) -> String {
    guard let file = try? openFile(path) else { return "no file" }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    var all = DataBuffer.empty
    while let part = try? file.borrowed.read(into: &bytes), part > 0 {
      all.append(DataBuffer(bytes[..<part]))
    }
    return "file \(all.count) #\(all.hashValue)"
  }
}

// MARK: - Pipes

extension Run {
  private func goOnPipe(_ size: Int, _ ends: Bool) throws {
    let pipe = try PipeEnds()
    var start = 0
    while start < size { start += try pipe.writing.borrowed.write(allBytes, start..<size) }
    channel = .make(isRandom: script.isRandom, number: pipe.reading.rawValue, cleanup())
    if ends || script.isRandom {
      let reading = pipe.closeWriting()
      try go()
      // Dispatch may still know the number of one that failed as a pipe after the cleanup.
      if script.isRandom { _ = reading.release() }
    } else {
      try go()
      _ = pipe.reading.rawValue
    }
  }

  private func goIntoPipe(_ isRead: Bool) throws {
    let pipe = try PipeEnds()
    channel = .make(isRandom: false, number: pipe.writing.rawValue, cleanup())
    guard isRead else {
      let writing = pipe.loseReader()
      try go()
      _ = writing.rawValue
      return
    }
    let reading = try pipe.reading.borrowed.duplicate()
    let number = BorrowedDescriptor(rawValue: reading.release())
    let (log, drained) = (OperationLog(isRead: true), WorkGroup())
    drained.enter()
    try PlatformThread.start(name: "drain") {
      var bytes = [UInt8](repeating: 0, count: 4096)
      while let count = try? number.read(into: &bytes), count > 0 {
        log.add(false, DataBuffer(Array(bytes[..<count])), 0)
      }
      _ = OwnedDescriptor(owning: number.rawValue)
      drained.leave()
    }
    try go()
    _ = pipe.closeReading()
    drained.wait()
    note("drained \(log.text(isExact: false).prefix { $0 != "/" })")
  }
}

// MARK: - Steps

extension Run {
  private func go() throws {
    for step in script.steps { try take(step) }
    channel?.close(stops: false)
    channel = nil
    try wait("the end")
  }

  private func wait(_ place: String) throws {
    try wait(for: group, place)
  }

  private func wait(for group: WorkGroup, _ place: String) throws {
    if group.wait(timeout: .now() + .seconds(20)) == .timedOut {
      throw TestFailure("script \(script.number) hangs at \(place): \(script)")
    }
  }

  private func cleanup() -> @Sendable (Int32) -> Void {
    group.enter()
    return { [group, cleanups, hides = script.mayFailToOpen] error in
      cleanups.add(hides ? "c" : "c\(error)")
      group.leave()
    }
  }

  private func handler(isRead: Bool) -> ScriptedChannel.Handler {
    let log = OperationLog(isRead: isRead)
    logs.append(log)
    group.enter()
    return { [group] isDone, data, error in
      log.add(isDone, data, error)
      if isDone { group.leave() }
    }
  }

  private func data(_ regions: [Int]) -> DataBuffer {
    regions.reduce(into: .empty) { data, count in
      // A region of its own for each.
      data.append(DataBuffer(allBytes[data.count + 7..<data.count + 7 + count]))
    }
  }

  private func take(_ step: Script.Step) throws {
    switch step {
    case .low(let bytes): channel?.setLow(bytes)
    case .high(let bytes): channel?.setHigh(bytes)
    case .read(let offset, let length):
      channel?.read(offset: offset, length: length, handler(isRead: true))
    case .write(let offset, let regions):
      channel?.write(offset: offset, data(regions), handler(isRead: false))
    case .barrier: try barrier()
    case .settle: try settle()
    case .readOnce(let length):
      Channel.readOnce(number, length, handler(isRead: true))
      try wait("a read")
    case .writeOnce(let regions):
      Channel.writeOnce(number, data(regions), handler(isRead: false))
      try wait("a write")
    case .sibling(let isRandom):
      let old = channel
      isSibling = true
      channel = old?.sibling(isRandom: isRandom, cleanup())
      try barrier()
      old?.close(stops: false)
    case .close: channel?.close(stops: false)
    case .stop: channel?.close(stops: true)
    case .drop: channel = nil
    }
  }

  /// Submits a barrier and waits for it; what it sees of the descriptor is noted.
  private func barrier() throws {
    guard let channel else { return }
    let ran = WorkGroup()
    ran.enter()
    // What Dispatch's number is of a channel made of a failed one is nowhere said.
    channel.barrier { [notes, isSibling] in
      let hasNumber = isSibling || channel.number >= 0
      notes.add(hasNumber ? "barrier" : "barrier without descriptor")
      ran.leave()
    }
    try wait(for: ran, "a barrier")
  }

  /// Waits until the operations so far have ended, but not for cleanups.
  private func settle() throws {
    for log in logs { try wait(for: log.running, "an operation") }
  }
}
